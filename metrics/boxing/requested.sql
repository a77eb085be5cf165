/**
 * @id           boxing.requested
 * @name         Boxed primitives requested
 * @description  For each of the eight wrapper classes: calls of the static method valueOf that
 *               takes the primitive, whether or not it allocates an object. A recorded JVM has no
 *               class archive, so its start runs bytecodes, boxing among them, whose results a bare
 *               JVM finds in the archive.
 * @kind         metric
 * @version      1
 * @grain        class
 * @column       class_name   text           wrapper class, in JVM form
 * @column       n_calls      integer  call  calls of the valueOf that takes the primitive
 * @column       share        number   1     share of these calls for all wrapper classes
 * @column       n_all_calls  integer  call  calls of any method
 * @column       calls_share  number   1     share of all calls
 * @sums         n_calls
 * @shares       share calls_share
 * @levels       n_all_calls
 * @overview     170 calls_share[java/lang/Integer] calls that are Integer.valueOf(int)
 * @plot         bar class_name n_calls
 * @better       none
 * @requires     context, method, class, back_edge
 * @import       boxing
 * @import       stats
 * @source       METRICS boxing.requested; Sarimbekov et al. 2013, Table 1
 * @tags         boxing calls paper
 */
WITH requested AS (
    SELECT call.method_id, SUM(call.n_calls)::BIGINT AS n_calls
    FROM call_edge AS call
    GROUP BY call.method_id
),
by_class AS (
    SELECT c.name AS class_name, SUM(requested.n_calls)::BIGINT AS n_calls
    FROM requested
    JOIN run.method AS m ON m.method_id = requested.method_id
    JOIN run.class AS c ON c.class_id = m.class_id
    JOIN boxing.wrappers() AS wrapper
        ON wrapper.class_name = c.name AND wrapper.descriptor = m.descriptor
    WHERE m.name = 'valueOf'
    GROUP BY c.name
),
total AS (
    SELECT COALESCE(SUM(n_calls), 0)::BIGINT AS n_all_calls FROM requested
)
SELECT wrapper.class_name,
       COALESCE(by_class.n_calls, 0) AS n_calls,
       stats.share(COALESCE(by_class.n_calls, 0), SUM(by_class.n_calls) OVER ()) AS share,
       total.n_all_calls,
       stats.share(COALESCE(by_class.n_calls, 0), total.n_all_calls) AS calls_share
FROM boxing.wrappers() AS wrapper
CROSS JOIN total
LEFT JOIN by_class ON by_class.class_name = wrapper.class_name
ORDER BY wrapper.class_name
