/**
 * @id           concurrency.waits
 * @name         Waits on monitors
 * @description  Calls of Object.wait, in total and per thousand bytecodes executed. The overloads
 *               of wait call each other; each wait counts once, by the call from outside Object. A
 *               recorded JVM sees two processors unless its command says otherwise, and pools sized
 *               by their number have as many threads.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_waits      integer  call         calls of Object.wait
 * @column       density      number   1/kbytecode  waits per thousand bytecodes
 * @column       n_bytecodes  integer  bytecode     bytecodes executed
 * @sums         n_waits n_bytecodes
 * @levels       density
 * @better       none
 * @requires     context, back_edge, method, class, thread_method
 * @import       stats
 * @source       Prokopec et al. 2019 (Renaissance) wait, which they divide by reference cycles
 * @tags         concurrency renaissance
 */
WITH form AS (
    SELECT m.method_id
    FROM run.method AS m
    JOIN run.class AS c ON c.class_id = m.class_id
    WHERE c.name = 'java/lang/Object' AND m.name = 'wait'
),
counted AS (
    SELECT COALESCE(SUM(call.n_calls), 0)::BIGINT AS n_waits,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM thread_method)::BIGINT AS n_bytecodes
    FROM call
    JOIN form ON form.method_id = call.method_id
    JOIN run.context AS caller ON caller.context_id = call.parent_id
    WHERE caller.method_id IS NULL
       OR caller.method_id NOT IN (SELECT method_id FROM form)
)
SELECT n_waits,
       stats.per_thousand(n_waits, n_bytecodes) AS density,
       n_bytecodes
FROM counted
