/**
 * @id           locking.objects
 * @name         Locked objects
 * @description  Objects that were locked, and the operations on their monitors: entries by
 *               synchronized blocks and methods, and calls of Object.wait, which releases and takes
 *               a monitor again. A lock is recursive if a thread entered it again while it held it.
 *               Monitors entered by native code (JNI) and by the VM's own threads are not seen;
 *               docs/agent.md lists what else is not. A scope selects objects by their class, not
 *               by who locks them: an Object that the application locks is of the JDK, so the scope
 *               application leaves it out. locking.operations counts entries by the method that
 *               locks.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_objects           integer  object     objects that were locked
 * @column       n_operations        integer  execution  entries and waits
 * @column       mean_operations     number   execution  n_operations per object
 * @column       n_block_entries     integer  execution  entries by synchronized blocks
 * @column       n_method_entries    integer  execution  entries by synchronized methods
 * @column       n_waits             integer  call       calls of Object.wait
 * @column       n_notifications     integer  call       calls of Object.notify and notifyAll
 * @column       n_shared_objects    integer  object     objects that two or more threads locked
 * @column       shared_share        number   1          n_shared_objects as a share of n_objects
 * @column       n_recursive         integer  object     objects with a recursive lock
 * @column       recursive_share     number   1          n_recursive as a share of n_objects
 * @column       max_depth           integer  execution  deepest nesting: entries of one monitor that one thread had not left
 * @sums         n_objects n_operations n_block_entries n_method_entries n_waits n_notifications
 *               n_shared_objects n_recursive
 * @shares       shared_share recursive_share
 * @levels       mean_operations max_depth
 * @better       none
 * @requires     object_lock, lock_depth
 * @import       stats
 * @source       METRICS locking; Sarimbekov et al. 2013, Table 1 and section 2.2.1
 * @tags         locking objects concurrency paper
 */
WITH locked AS (
    SELECT COALESCE(SUM(n_objects), 0)::BIGINT AS n_objects,
           COALESCE(SUM(n_block_entries), 0)::BIGINT AS n_block_entries,
           COALESCE(SUM(n_method_entries), 0)::BIGINT AS n_method_entries,
           COALESCE(SUM(n_waits), 0)::BIGINT AS n_waits,
           COALESCE(SUM(n_notifications), 0)::BIGINT AS n_notifications,
           COALESCE(SUM(n_shared_objects), 0)::BIGINT AS n_shared_objects,
           MAX(max_depth)::BIGINT AS max_depth
    FROM object_lock
),
nested AS (
    SELECT COALESCE(SUM(n_objects) FILTER (WHERE depth > 1), 0)::BIGINT AS n_recursive
    FROM lock_depth
)
SELECT n_objects,
       n_block_entries + n_method_entries + n_waits AS n_operations,
       (n_block_entries + n_method_entries + n_waits) / NULLIF(n_objects, 0) AS mean_operations,
       n_block_entries,
       n_method_entries,
       n_waits,
       n_notifications,
       n_shared_objects,
       stats.share(n_shared_objects, n_objects) AS shared_share,
       n_recursive,
       stats.share(n_recursive, n_objects) AS recursive_share,
       max_depth
FROM locked
CROSS JOIN nested
