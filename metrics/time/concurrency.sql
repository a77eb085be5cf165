/**
 * @id           time.concurrency
 * @name         Waits, parks and atomic operations a microsecond
 * @description  How often a method with a probe, and what it calls in its thread, waits, notifies,
 *               parks and operates on memory atomically in a microsecond of its measured time: as
 *               concurrency.waits, notifications, parks and atomics count them in a recorded call,
 *               divided by the time of a measured one, which includes the time waited.
 * @kind         table
 * @version      1
 * @grain        method
 * @column       class_name          text                  class in JVM form
 * @column       name                text                  name
 * @column       descriptor          text                  descriptor
 * @column       probe               text                  the probe, with its condition
 * @column       copy                integer               1; more if a probe met several
 * @column       wait_rate           number   call/us      calls of Object.wait
 * @column       notify_rate         number   call/us      calls of Object.notify and notifyAll
 * @column       park_rate           number   call/us      calls of park, parkNanos and parkUntil
 * @column       atomic_rate         number   call/us      atomic operations on memory
 * @levels       wait_rate notify_rate park_rate atomic_rate
 * @better       none
 * @requires     measured_method
 * @source       Prokopec et al. 2019 (Renaissance) wait, notify, park and atomic, which they divide
 *               by reference cycles
 * @tags         time watch concurrency renaissance
 */
WITH span AS (
    SELECT method_id, first_id, last_id
    FROM recorded.outermost_span
    WHERE method_id IN (SELECT method_id FROM measured_method)
),
kind AS (
    SELECT m.method_id,
           CASE
               WHEN c.name = 'java/lang/Object' AND m.name = 'wait' THEN 'wait'
               WHEN c.name = 'java/lang/Object' AND m.name IN ('notify', 'notifyAll') THEN 'notify'
               WHEN c.name = 'java/util/concurrent/locks/LockSupport'
                   AND m.name IN ('park', 'parkNanos', 'parkUntil') THEN 'park'
               WHEN c.name = 'jdk/internal/misc/Unsafe'
                   AND regexp_matches(m.name, '^(compareAnd(Set|Exchange)|weakCompareAndSet|'
                       || 'getAnd(Add|Set|Bitwise))') THEN 'atomic'
           END AS kind
    FROM recorded.method AS m
    JOIN recorded.class AS c USING (class_id)
),
operation AS (
    SELECT node.context_id, node.n_calls, kind.kind
    FROM recorded.context AS node
    JOIN kind ON kind.method_id = node.method_id AND kind.kind IS NOT NULL
    LEFT JOIN recorded.context AS caller ON caller.context_id = node.parent_id
    LEFT JOIN kind AS above ON above.method_id = caller.method_id
    WHERE kind.kind <> 'wait' OR above.kind IS DISTINCT FROM 'wait'  -- forms call each other
),
counted AS (
    SELECT span.method_id,
           SUM(n_calls) FILTER (WHERE kind = 'wait') AS n_waits,
           SUM(n_calls) FILTER (WHERE kind = 'notify') AS n_notifications,
           SUM(n_calls) FILTER (WHERE kind = 'park') AS n_parks,
           SUM(n_calls) FILTER (WHERE kind = 'atomic') AS n_atomics
    FROM span
    JOIN operation ON operation.context_id BETWEEN span.first_id AND span.last_id
    GROUP BY span.method_id
)
SELECT class_name,
       name,
       descriptor,
       probe,
       copy,
       COALESCE(n_waits, 0) * us.calls AS wait_rate,
       COALESCE(n_notifications, 0) * us.calls AS notify_rate,
       COALESCE(n_parks, 0) * us.calls AS park_rate,
       COALESCE(n_atomics, 0) * us.calls AS atomic_rate,
       reason
FROM measured_method
LEFT JOIN counted USING (method_id)
LEFT JOIN LATERAL (
    SELECT CASE WHEN reason IS NULL THEN 1000 / NULLIF(ns_per_call * recorded_calls, 0) END AS calls
) AS us ON TRUE
ORDER BY class_name, name, descriptor, probe, copy
