/**
 * @id           native.times
 * @name         Processor time of each native method
 * @description  For each native method that was called: the processor time in its function,
 *               without the Java methods that this called by JNI. Methods whose class is not known
 *               have no row, but belong to the whole of the shares. Differs from run to run.
 * @kind         table
 * @version      2
 * @grain        method
 * @column       method_id   integer      native method
 * @column       self_ns     integer  ns  processor time in its function
 * @column       time_share  number   1   share of the time of all native methods
 * @sums         self_ns
 * @shares       time_share
 * @sort         self_ns
 * @better       none
 * @requires     native_time
 * @import       stats
 * @source       METRICS native code
 * @tags         native time method
 */
WITH spent AS (
    SELECT method_id, SUM(self_ns)::BIGINT AS self_ns
    FROM native_time
    GROUP BY method_id
)
SELECT method_id,
       self_ns,
       stats.share(self_ns, (SELECT SUM(self_ns) FROM spent)) AS time_share
FROM spent
WHERE method_id IS NOT NULL
ORDER BY method_id
