/**
 * @id           time.instructions
 * @name         Accesses, calls and monitors a microsecond
 * @description  How often a method with a probe, and what it calls in its thread, executes
 *               instructions of a kind in a microsecond of its measured time: executions in a
 *               recorded call, divided by the time of a measured one. Late-bound invokes are those
 *               by a virtual table, an interface or a call site object. Monitors are entered by
 *               monitorenter and by calls of synchronized methods.
 * @kind         table
 * @version      2
 * @grain        method
 * @column       class_name          text                  class in JVM form
 * @column       name                text                  name
 * @column       descriptor          text                  descriptor
 * @column       probe               text                  the probe, with its condition
 * @column       copy                integer               1; more if a probe met several
 * @column       aaload_rate         number   1/us         aaload
 * @column       aastore_rate        number   1/us         aastore
 * @column       getfield_rate       number   1/us         getfield
 * @column       putfield_rate       number   1/us         putfield
 * @column       late_bound_rate     number   1/us         virtual, interface and dynamic invokes
 * @column       dynamic_rate        number   1/us         invokedynamic
 * @column       monitor_rate        number   1/us         entries of monitors
 * @levels       aaload_rate aastore_rate getfield_rate putfield_rate late_bound_rate
 *               dynamic_rate monitor_rate
 * @better       none
 * @requires     measured_method, recorded.context_block
 * @source       DaCapo Chopin BAL, BAS, BGF, BPF; Prokopec et al. 2019 (Renaissance) method,
 *               idynamic and synch, which they divide by reference cycles
 * @tags         time watch dacapo renaissance
 */
WITH span AS (
    SELECT method_id, first_id, last_id
    FROM recorded.outermost_span
    WHERE method_id IN (SELECT method_id FROM measured_method)
),
of_part AS (
    SELECT part.block_part_id,
           COUNT(*) FILTER (WHERE opcode = 'aaload') AS n_aaload,
           COUNT(*) FILTER (WHERE opcode = 'aastore') AS n_aastore,
           COUNT(*) FILTER (WHERE opcode = 'getfield') AS n_getfield,
           COUNT(*) FILTER (WHERE opcode = 'putfield') AS n_putfield,
           COUNT(*) FILTER (
               WHERE opcode IN ('invokevirtual', 'invokeinterface', 'invokedynamic')
           ) AS n_late_bound,
           COUNT(*) FILTER (WHERE opcode = 'invokedynamic') AS n_dynamic,
           COUNT(*) FILTER (WHERE opcode = 'monitorenter') AS n_monitorenter
    FROM recorded.block_part AS part
    JOIN recorded.instruction AS i
        ON i.basic_block_id = part.basic_block_id
        AND i."offset" BETWEEN part.first_offset AND part.last_offset
    GROUP BY part.block_part_id
),
executed AS (
    SELECT span.method_id,
           SUM(ran.n_executions * n_aaload) AS n_aaload,
           SUM(ran.n_executions * n_aastore) AS n_aastore,
           SUM(ran.n_executions * n_getfield) AS n_getfield,
           SUM(ran.n_executions * n_putfield) AS n_putfield,
           SUM(ran.n_executions * n_late_bound) AS n_late_bound,
           SUM(ran.n_executions * n_dynamic) AS n_dynamic,
           SUM(ran.n_executions * n_monitorenter) AS n_monitorenter
    FROM span
    JOIN recorded.context_part AS ran ON ran.context_id BETWEEN span.first_id AND span.last_id
    JOIN of_part USING (block_part_id)
    GROUP BY span.method_id
),
synchronized_calls AS (
    SELECT span.method_id, SUM(node.n_calls) AS n_synchronized
    FROM span
    JOIN recorded.context AS node ON node.context_id BETWEEN span.first_id AND span.last_id
    JOIN recorded.method AS m ON m.method_id = node.method_id
    WHERE m.access_flags & 32 > 0  -- ACC_SYNCHRONIZED
    GROUP BY span.method_id
),
counted AS (
    SELECT executed.*, COALESCE(n_synchronized, 0) AS n_synchronized
    FROM executed
    LEFT JOIN synchronized_calls USING (method_id)
)
SELECT class_name,
       name,
       descriptor,
       probe,
       copy,
       n_aaload * us.calls AS aaload_rate,
       n_aastore * us.calls AS aastore_rate,
       n_getfield * us.calls AS getfield_rate,
       n_putfield * us.calls AS putfield_rate,
       n_late_bound * us.calls AS late_bound_rate,
       n_dynamic * us.calls AS dynamic_rate,
       (n_monitorenter + n_synchronized) * us.calls AS monitor_rate,
       reason
FROM measured_method
LEFT JOIN counted USING (method_id)
LEFT JOIN LATERAL (
    SELECT CASE WHEN reason IS NULL THEN 1000 / NULLIF(ns_per_call * recorded_calls, 0) END AS calls
) AS us ON TRUE
ORDER BY class_name, name, descriptor, probe, copy
