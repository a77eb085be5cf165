/**
 * @description The places that entered a monitor at least once: monitorenter instructions and
 *              synchronized methods.
 * @column      method_id       integer             the synchronized method, or that of the instruction
 * @column      instruction_id  integer             the monitorenter; null: a synchronized method
 * @column      n_operations    integer  execution  entries of a monitor
 */
CREATE MACRO locks.sites() AS TABLE
    SELECT method_id, instruction_id, n_executions AS n_operations
    FROM blocks.instructions()
    WHERE opcode = 'monitorenter'
    UNION ALL
    SELECT t.method_id, NULL, SUM(t.n_calls)::BIGINT
    FROM thread_method AS t
    JOIN run.method AS m ON m.method_id = t.method_id
    WHERE m.access_flags & 32 > 0  -- ACC_SYNCHRONIZED
    GROUP BY t.method_id
    HAVING SUM(t.n_calls) > 0
