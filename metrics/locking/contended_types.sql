/**
 * @id           locking.contended_types
 * @name         Contended monitors, by class
 * @description  Entries that had to wait, because another thread had the monitor, for each class of
 *               the objects with the monitors; all arrays are one. Classes of the same name count
 *               together. A scope selects who enters, unlike in locking.types. Depends on timing,
 *               as locking.contention.
 * @kind         metric
 * @version      1
 * @grain        class
 * @column       type             text                class in JVM form; null: arrays
 * @column       n_contended      integer  execution  entries that had to wait
 * @column       contended_share  number   1          share of all of them
 * @column       n_threads        integer  thread     threads that waited
 * @sums         n_contended
 * @shares       contended_share
 * @levels       n_threads
 * @sort         n_contended
 * @plot         bar type n_contended
 * @better       none
 * @requires     contended_entry, context, class
 * @import       stats
 * @source       METRICS locking
 * @tags         locking concurrency
 */
WITH typed AS (
    SELECT c.name AS type,
           SUM(e.n_entries)::BIGINT AS n_contended,
           COUNT(DISTINCT x.thread_id) AS n_threads
    FROM contended_entry AS e
    JOIN context AS x ON x.context_id = e.context_id
    LEFT JOIN run.class AS c ON c.class_id = e.class_id
    GROUP BY c.name
)
SELECT type,
       n_contended,
       stats.share(n_contended, SUM(n_contended) OVER ()) AS contended_share,
       n_threads
FROM typed
ORDER BY type NULLS FIRST
