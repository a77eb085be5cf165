/**
 * @id           locking.depths
 * @name         Lock nesting
 * @description  How deep locks are nested: a thread that holds a monitor and enters it again
 *               reaches depth 2. Objects count at the deepest nesting of their lock, entries at the
 *               depth that they reached. Depth 64 stands for 64 and more. A scope selects objects
 *               by their class, not by who locks them.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       depth          integer             entries of one monitor that one thread had not left
 * @column       n_objects      integer  object     objects whose deepest nesting it is
 * @column       objects_share  number   1          share of all locked objects
 * @column       n_entries      integer  execution  entries that reached it
 * @column       entries_share  number   1          share of all entries
 * @sums         n_objects n_entries
 * @shares       objects_share entries_share
 * @plot         bar depth n_entries
 * @better       none
 * @requires     lock_depth
 * @import       stats
 * @source       METRICS locking; Sarimbekov et al. 2013, Table 1
 * @tags         locking objects concurrency paper
 */
SELECT depth,
       SUM(n_objects)::BIGINT AS n_objects,
       stats.share(SUM(n_objects), SUM(SUM(n_objects)) OVER ()) AS objects_share,
       SUM(n_entries)::BIGINT AS n_entries,
       stats.share(SUM(n_entries), SUM(SUM(n_entries)) OVER ()) AS entries_share
FROM lock_depth
GROUP BY depth
ORDER BY depth
