/**
 * @id           boxing.methods
 * @name         Boxed primitives requested by each method
 * @description  For each method that boxes primitives: its calls of valueOf, counted as in
 *               boxing.requested, whether or not an object is allocated. A recorded JVM has no
 *               class archive, so its start runs bytecodes, boxing among them, whose results a bare
 *               JVM finds in the archive.
 * @kind         table
 * @version      1
 * @grain        method
 * @column       method_id  integer        calling method
 * @column       n_calls    integer  call  calls of valueOf by the method
 * @sums         n_calls
 * @better       none
 * @requires     context, method, class, call_site, back_edge
 * @import       boxing
 * @source       boxing.requested, the number for each calling method
 * @tags         boxing calls method
 */
WITH value_of AS (
    SELECT m.method_id
    FROM run.method AS m
    JOIN run.class AS c ON c.class_id = m.class_id
    JOIN boxing.wrappers() AS wrapper
        ON wrapper.class_name = c.name AND wrapper.descriptor = m.descriptor
    WHERE m.name = 'valueOf'
)
SELECT site.caller_id AS method_id, SUM(call.n_calls)::BIGINT AS n_calls
FROM call_edge AS call
JOIN value_of ON value_of.method_id = call.method_id
JOIN run.call_site AS site ON site.call_site_id = call.call_site_id
GROUP BY site.caller_id
ORDER BY site.caller_id
