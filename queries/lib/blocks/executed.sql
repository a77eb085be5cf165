/**
 * @description Each basic block that was executed at least once, over all contexts.
 * @column      basic_block_id  integer             basic block
 * @column      method_id       integer             its method
 * @column      n_instructions  integer  instruction  instructions in it
 * @column      n_executions    integer  execution    executions of it
 * @column      n_bytecodes     integer  bytecode     bytecodes executed in it, as blocks.parts has them
 */
CREATE MACRO blocks.executed() AS TABLE
    SELECT b.basic_block_id,
           b.method_id,
           b.n_instructions,
           executed.n_executions,
           ran.n_bytecodes
    FROM (
        SELECT basic_block_id, SUM(n_executions)::BIGINT AS n_executions
        FROM thread_block
        GROUP BY basic_block_id
        HAVING SUM(n_executions) > 0
    ) AS executed
    JOIN (
        SELECT p.basic_block_id, SUM(t.n_executions * p.n_instructions)::BIGINT AS n_bytecodes
        FROM thread_part AS t
        JOIN run.block_part AS p ON p.block_part_id = t.block_part_id
        GROUP BY p.basic_block_id
    ) AS ran ON ran.basic_block_id = executed.basic_block_id
    JOIN run.basic_block AS b ON b.basic_block_id = executed.basic_block_id
