/**
 * @id           locking.contended_sites
 * @name         Contended locking sites
 * @description  Places with entries of monitors that had to wait (monitorenter instructions and
 *               synchronized methods), and the smallest number of them that covers a share of these
 *               entries: the busiest, until they reach ceil(share * entries). Depends on timing, as
 *               locking.contention.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_sites         integer  place      places with an entry that had to wait
 * @column       n_covering      integer  place      busiest places that cover the share
 * @column       covering_share  number   1          share of the busiest places
 * @column       n_contended     integer  execution  entries that had to wait
 * @sums         n_contended
 * @shares       covering_share
 * @levels       n_sites n_covering
 * @better       none
 * @param        share number 0.9 share of the entries to cover
 * @range        share [0.000001, 1]
 * @requires     contended_entry, context
 * @import       stats
 * @source       Dufour et al. 2003 (*J) concurrency.contendedLock
 * @tags         locking hotness concurrency starj
 */
WITH sites AS (
    SELECT x.method_id,
           e.instruction_id,
           SUM(e.n_entries)::BIGINT AS n_entries
    FROM contended_entry AS e
    JOIN context AS x ON x.context_id = e.context_id
    GROUP BY x.method_id, e.instruction_id
)
SELECT n_places AS n_sites, n_covering, covering_share, n_executions AS n_contended
FROM stats.covering((SELECT LIST({'n_executions': n_entries, 'n_places': 1}) FROM sites), $share)
