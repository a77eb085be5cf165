/**
 * @id           native.methods
 * @name         Calls of each native method
 * @description  For each native method that was called: its calls, those that ended with an
 *               exception, and the calls of Java methods that its function made by JNI. Methods
 *               whose class is not known have no row, but belong to the whole of the shares.
 * @kind         table
 * @version      2
 * @grain        method
 * @column       method_id     integer        native method
 * @column       n_calls       integer  call  calls
 * @column       calls_share   number   1     share of all calls of native methods
 * @column       n_exceptions  integer  call  calls that ended with an exception
 * @column       n_jni_calls   integer  call  calls by JNI that its function made
 * @sums         n_calls n_exceptions n_jni_calls
 * @shares       calls_share
 * @sort         n_calls
 * @better       none
 * @requires     native_method
 * @import       stats
 * @source       METRICS native code
 * @tags         native calls method
 */
WITH called AS (
    SELECT method_id,
           SUM(n_calls)::BIGINT AS n_calls,
           SUM(n_exceptions)::BIGINT AS n_exceptions,
           SUM(n_jni_calls)::BIGINT AS n_jni_calls
    FROM native_method
    GROUP BY method_id
)
SELECT method_id,
       n_calls,
       stats.share(n_calls, (SELECT SUM(n_calls) FROM called)) AS calls_share,
       n_exceptions,
       n_jni_calls
FROM called
WHERE method_id IS NOT NULL
ORDER BY method_id
