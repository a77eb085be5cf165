/**
 * @id           time.allocations
 * @name         Allocations a microsecond
 * @description  What a method with a probe, and what it calls in its thread, allocates in a
 *               microsecond of its measured time: objects and bytes of a recorded call, divided by
 *               the time of a measured one. Bytes a microsecond are megabytes a second. Objects of
 *               unknown size have no bytes.
 * @kind         table
 * @version      1
 * @grain        method
 * @column       class_name          text                  class in JVM form
 * @column       name                text                  name
 * @column       descriptor          text                  descriptor
 * @column       probe               text                  the probe, with its condition
 * @column       copy                integer               1; more if a probe met several
 * @column       byte_rate           number   byte/us      bytes of all objects
 * @column       instance_rate       number   object/us    objects that are not arrays
 * @column       array_rate          number   object/us    arrays
 * @levels       byte_rate instance_rate array_rate
 * @better       none
 * @requires     measured_method, recorded.allocation
 * @source       DaCapo Chopin ARA; Prokopec et al. 2019 (Renaissance) object and array, which they
 *               divide by reference cycles
 * @tags         time watch allocations dacapo renaissance
 */
WITH span AS (
    SELECT method_id, first_id, last_id
    FROM recorded.outermost_span
    WHERE method_id IN (SELECT method_id FROM measured_method)
),
counted AS (
    SELECT span.method_id,
           SUM(n_objects * size_bytes) AS n_bytes,
           SUM(n_objects) FILTER (WHERE type[1] <> '[') AS n_instances,
           SUM(n_objects) FILTER (WHERE type[1] = '[') AS n_arrays
    FROM span
    JOIN recorded.allocation AS made ON made.context_id BETWEEN span.first_id AND span.last_id
    GROUP BY span.method_id
)
SELECT class_name,
       name,
       descriptor,
       probe,
       copy,
       COALESCE(n_bytes, 0) * us.calls AS byte_rate,
       COALESCE(n_instances, 0) * us.calls AS instance_rate,
       COALESCE(n_arrays, 0) * us.calls AS array_rate,
       reason
FROM measured_method
LEFT JOIN counted USING (method_id)
LEFT JOIN LATERAL (
    SELECT CASE WHEN reason IS NULL THEN 1000 / NULLIF(ns_per_call * recorded_calls, 0) END AS calls
) AS us ON TRUE
ORDER BY class_name, name, descriptor, probe, copy
