/**
 * @id           time.estimated_costs
 * @name         Estimated cost of calls and objects by method of the program
 * @description  What calls and objects cost, charged to the methods of the program: those that a
 *               method makes itself, and those of the JDK's code that it calls. An estimate:
 *               counts of the recorded run times the costs of a calibration (--calibration) in
 *               the forms in which samples of the watch run saw the methods that call and make
 *               objects. What has no known cost is not in the sums: time.estimated_calls and
 *               time.estimated_creations say how much that is.
 * @kind         table
 * @version      1
 * @grain        method
 * @column       class_name              text             class in JVM form
 * @column       name                    text             name
 * @column       descriptor              text             descriptor
 * @column       n_calls                 integer  call    recorded calls
 * @column       estimated_calls_ns      number   ns      estimated cost of those that have one
 * @column       n_objects               integer  object  recorded objects, with arrays
 * @column       estimated_creations_ns  number   ns      estimated cost of those that have one
 * @column       estimated_ns            number   ns      both
 * @column       estimated_low_ns        number   ns      lower end of its interval
 * @column       estimated_high_ns       number   ns      upper end of its interval
 * @levels       n_calls estimated_calls_ns n_objects estimated_creations_ns estimated_ns
 *               estimated_low_ns estimated_high_ns
 * @sort         estimated_ns
 * @better       lower
 * @requires     estimated_call, estimated_creation, recorded.allocation
 * @source       Newhall and Miller 1998 (Paradyn-J) MethodCall_CS and obj_create
 * @tags         time watch paradyn
 */
WITH part AS (
    SELECT charged_id, n_calls, estimated_ns AS estimated_calls_ns, NULL::BIGINT AS n_objects,
           NULL::DOUBLE AS estimated_creations_ns, estimated_low_ns, estimated_high_ns, reason
    FROM estimated_call
    UNION ALL
    SELECT charged_id, NULL, NULL, n_objects, estimated_ns, estimated_low_ns, estimated_high_ns,
           reason
    FROM estimated_creation
),
summed AS (
    SELECT charged_id,
           COALESCE(SUM(n_calls), 0)::BIGINT AS n_calls,
           SUM(estimated_calls_ns) AS estimated_calls_ns,
           COALESCE(SUM(n_objects), 0)::BIGINT AS n_objects,
           SUM(estimated_creations_ns) AS estimated_creations_ns,
           SUM(estimated_low_ns) AS estimated_low_ns,
           SUM(estimated_high_ns) AS estimated_high_ns,
           COALESCE(ARG_MAX(reason, ROW(COALESCE(n_calls, n_objects), reason)), 'it made none') AS reason
    FROM part
    WHERE charged_id IS NOT NULL
    GROUP BY charged_id
),
added AS (
    SELECT *,
           CASE WHEN estimated_calls_ns IS NOT NULL OR estimated_creations_ns IS NOT NULL
               THEN COALESCE(estimated_calls_ns, 0) + COALESCE(estimated_creations_ns, 0) END AS estimated_ns
    FROM summed
)
SELECT c.name AS class_name,
       m.name,
       m.descriptor,
       n_calls,
       estimated_calls_ns,
       n_objects,
       estimated_creations_ns,
       estimated_ns,
       estimated_low_ns,
       estimated_high_ns,
       reason
FROM added
JOIN recorded.method AS m ON m.method_id = added.charged_id
JOIN recorded.class AS c USING (class_id)
ORDER BY estimated_ns DESC NULLS LAST, n_calls DESC, class_name, m.name, m.descriptor, m.method_id
