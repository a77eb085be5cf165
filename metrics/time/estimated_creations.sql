/**
 * @id           time.estimated_creations
 * @name         Estimated cost of objects by method
 * @description  What the objects and arrays that a method makes cost. An estimate: counts of the
 *               recorded run times the costs of a calibration (--calibration) in the forms in
 *               which samples of the watch run saw the method. Zeroing counts, but neither the
 *               constructor, which is a call, nor collections. Objects that C2 would do without
 *               count as made.
 * @kind         table
 * @version      1
 * @grain        method
 * @column       class_name               text                class in JVM form
 * @column       name                     text                name
 * @column       descriptor               text                descriptor
 * @column       n_objects                integer  object     recorded objects, with arrays
 * @column       n_estimated              integer  object     objects whose cost is known
 * @column       estimated_ns_per_object  number   ns/object  cost of one of known cost
 * @column       estimated_ns             number   ns         processor time of making those of known cost
 * @column       estimated_low_ns         number   ns         lower end of its interval
 * @column       estimated_high_ns        number   ns         upper end of its interval
 * @levels       n_objects n_estimated estimated_ns_per_object estimated_ns
 *               estimated_low_ns estimated_high_ns
 * @sort         estimated_ns
 * @better       lower
 * @requires     estimated_creation, recorded.allocation
 * @source       Newhall and Miller 1998 (Paradyn-J) obj_create
 * @tags         time watch paradyn
 */
WITH summed AS (
    SELECT method_id,
           SUM(n_objects)::BIGINT AS n_objects,
           COALESCE(SUM(n_objects) FILTER (WHERE reason IS NULL), 0)::BIGINT AS n_estimated,
           SUM(estimated_ns) AS estimated_ns,
           SUM(estimated_low_ns) AS estimated_low_ns,
           SUM(estimated_high_ns) AS estimated_high_ns,
           ARG_MAX(reason, ROW(n_objects, reason)) AS reason
    FROM estimated_creation
    GROUP BY method_id
)
SELECT c.name AS class_name,
       m.name,
       m.descriptor,
       n_objects,
       n_estimated,
       estimated_ns / NULLIF(n_estimated, 0) AS estimated_ns_per_object,
       estimated_ns,
       estimated_low_ns,
       estimated_high_ns,
       reason
FROM summed
LEFT JOIN recorded.method AS m USING (method_id)
LEFT JOIN recorded.class AS c USING (class_id)
ORDER BY estimated_ns DESC NULLS LAST, n_objects DESC, class_name, m.name, m.descriptor, method_id
