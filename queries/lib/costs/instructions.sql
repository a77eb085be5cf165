/**
 * @description How often each opcode ran over all contexts of the scope, as blocks.instructions
 *              counts; blocks that were not counted, but are the only ones of their methods, ran
 *              once at each call.
 * @column      opcode        text                mnemonic
 * @column      n_executions  integer  execution  executions
 */
CREATE MACRO costs.instructions() AS TABLE
    SELECT opcode, SUM(n_executions)::BIGINT AS n_executions
    FROM (
        SELECT opcode, n_executions FROM blocks.instructions()
        UNION ALL
        SELECT instruction.opcode, counted.n_calls
        FROM thread_method AS counted
        JOIN costs._only_blocks() AS single ON single.method_id = counted.method_id
        JOIN run.instruction ON instruction.basic_block_id = single.basic_block_id
    )
    GROUP BY opcode
