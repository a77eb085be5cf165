/**
 * @id           time.estimated_calls
 * @name         Estimated cost of calls by caller
 * @description  What the calls that a method makes cost beyond the body of the called methods. An
 *               estimate: counts of the recorded run times the costs of a calibration
 *               (--calibration) in the forms in which samples of the watch run saw the method. A
 *               call that was inlined costs almost nothing. Calls of native methods, by
 *               invokedynamic and by the VM have no known cost.
 * @kind         table
 * @version      1
 * @grain        method
 * @column       class_name             text              class in JVM form
 * @column       name                   text              name
 * @column       descriptor             text              descriptor
 * @column       n_calls                integer  call     recorded calls
 * @column       n_estimated            integer  call     calls whose cost is known
 * @column       estimated_ns_per_call  number   ns/call  cost of one of known cost
 * @column       estimated_ns           number   ns       processor time of those of known cost
 * @column       estimated_low_ns       number   ns       lower end of its interval
 * @column       estimated_high_ns      number   ns       upper end of its interval
 * @levels       n_calls n_estimated estimated_ns_per_call estimated_ns
 *               estimated_low_ns estimated_high_ns
 * @sort         estimated_ns
 * @better       lower
 * @requires     estimated_call
 * @source       Newhall and Miller 1998 (Paradyn-J) MethodCall_CS
 * @tags         time watch paradyn
 */
WITH summed AS (
    SELECT caller_id,
           SUM(n_calls)::BIGINT AS n_calls,
           COALESCE(SUM(n_calls) FILTER (WHERE reason IS NULL), 0)::BIGINT AS n_estimated,
           SUM(estimated_ns) AS estimated_ns,
           SUM(estimated_low_ns) AS estimated_low_ns,
           SUM(estimated_high_ns) AS estimated_high_ns,
           ARG_MAX(reason, ROW(n_calls, reason)) AS reason
    FROM estimated_call
    GROUP BY caller_id
)
SELECT c.name AS class_name,
       m.name,
       m.descriptor,
       n_calls,
       n_estimated,
       estimated_ns / NULLIF(n_estimated, 0) AS estimated_ns_per_call,
       estimated_ns,
       estimated_low_ns,
       estimated_high_ns,
       reason
FROM summed
JOIN recorded.method AS m ON m.method_id = summed.caller_id
JOIN recorded.class AS c USING (class_id)
ORDER BY estimated_ns DESC NULLS LAST, n_calls DESC, class_name, m.name, m.descriptor, m.method_id
