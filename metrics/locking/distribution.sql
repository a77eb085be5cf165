/**
 * @id           locking.distribution
 * @name         Locked objects by operations
 * @description  Distribution of the locked objects over the operations on their monitors: entries
 *               and waits. The bins are 1, 2, 3 to 4, 5 to 8 and so on, named by their largest
 *               number. A scope selects objects by their class, not by who locks them.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       n_operations   integer          largest number of operations of the bin
 * @column       n_objects      integer  object  objects with so many
 * @column       objects_share  number   1       share of all locked objects
 * @sums         n_objects
 * @shares       objects_share
 * @plot         bar n_operations n_objects
 * @better       none
 * @requires     lock_operations
 * @import       stats
 * @source       METRICS locking
 * @tags         locking objects concurrency
 */
SELECT max_operations AS n_operations,
       SUM(n_objects)::BIGINT AS n_objects,
       stats.share(SUM(n_objects), SUM(SUM(n_objects)) OVER ()) AS objects_share
FROM lock_operations
GROUP BY max_operations
ORDER BY max_operations
