/**
 * @id           locking.sites
 * @name         Locking sites
 * @description  Places that entered a monitor at least once (monitorenter instructions and
 *               synchronized methods), and the smallest number of them that covers a share of all
 *               entries: the busiest, until they reach ceil(share * entries).
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_sites         integer  place      places that entered a monitor
 * @column       n_covering      integer  place      busiest places that cover the share
 * @column       covering_share  number   1          share of the busiest places
 * @column       n_operations    integer  execution  entries of monitors
 * @sums         n_operations
 * @shares       covering_share
 * @levels       n_sites n_covering
 * @better       none
 * @param        share number 0.9 share of the entries to cover
 * @range        share [0.000001, 1]
 * @requires     thread_method, thread_block, basic_block, instruction, method
 * @import       locks
 * @import       stats
 * @source       Dufour et al. 2003 (*J) concurrency.lock
 * @tags         locking hotness starj
 */
SELECT n_places AS n_sites, n_covering, covering_share, n_executions AS n_operations
FROM stats.covering((SELECT LIST({'n_executions': n_operations, 'n_places': 1}) FROM locks.sites()), $share)
