/**
 * @description Each basic block that was executed at least once, over all contexts.
 * @column      basic_block_id  integer             basic block
 * @column      method_id       integer             its method
 * @column      n_instructions  integer  instruction  instructions in it
 * @column      n_executions    integer  execution    executions of it
 * @column      n_bytecodes     integer  bytecode     executions times instructions
 */
CREATE MACRO blocks.executed() AS TABLE
    SELECT b.basic_block_id,
           b.method_id,
           b.n_instructions,
           SUM(t.n_executions)::BIGINT AS n_executions,
           (SUM(t.n_executions) * b.n_instructions)::BIGINT AS n_bytecodes
    FROM thread_block AS t
    JOIN run.basic_block AS b ON b.basic_block_id = t.basic_block_id
    GROUP BY b.basic_block_id, b.method_id, b.n_instructions
    HAVING SUM(t.n_executions) > 0
