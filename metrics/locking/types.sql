/**
 * @id           locking.types
 * @name         Locked objects, by type
 * @description  For each class of objects and type of arrays that were locked: how many, by how
 *               many entries and waits, and how deep. Classes of the same name count together. A
 *               scope selects objects by their class, not by who locks them: an Object that the
 *               application locks is of the JDK, so the scope application leaves it out.
 *               locking.operations counts entries by the method that locks.
 * @kind         metric
 * @version      1
 * @grain        class
 * @column       type              text                class in JVM form, or descriptor of the array
 * @column       n_objects         integer  object     objects that were locked
 * @column       n_operations      integer  execution  entries of their monitors, and waits
 * @column       operations_share  number   1          share of all operations
 * @column       n_shared_objects  integer  object     objects that two or more threads locked
 * @column       max_depth         integer  execution  deepest nesting
 * @sums         n_objects n_operations n_shared_objects
 * @shares       operations_share
 * @levels       max_depth
 * @sort         n_operations
 * @plot         bar type n_operations
 * @better       none
 * @requires     object_lock
 * @import       stats
 * @source       METRICS locking
 * @tags         locking objects concurrency
 */
WITH typed AS (
    SELECT type,
           SUM(n_objects)::BIGINT AS n_objects,
           SUM(n_block_entries + n_method_entries + n_waits)::BIGINT AS n_operations,
           SUM(n_shared_objects)::BIGINT AS n_shared_objects,
           MAX(max_depth)::BIGINT AS max_depth
    FROM object_lock
    GROUP BY type
)
SELECT type,
       n_objects,
       n_operations,
       stats.share(n_operations, SUM(n_operations) OVER ()) AS operations_share,
       n_shared_objects,
       max_depth
FROM typed
ORDER BY type
