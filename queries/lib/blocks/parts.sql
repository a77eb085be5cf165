/**
 * @description The parts of basic blocks that were executed at least once, over all contexts: the
 *              block segments where --exact-exceptions recorded them, so that what is behind an
 *              instruction that threw does not count; else the whole blocks.
 * @column      basic_block_id  integer               basic block
 * @column      method_id       integer               its method
 * @column      first_offset    integer  byte         offset of the part's first instruction
 * @column      last_offset     integer  byte         offset of its last instruction
 * @column      n_instructions  integer  instruction  instructions in the part
 * @column      n_executions    integer  execution    executions of it
 * @column      n_bytecodes     integer  bytecode     executions times instructions
 */
CREATE MACRO blocks.parts() AS TABLE
    SELECT p.basic_block_id,
           b.method_id,
           p.first_offset,
           p.last_offset,
           p.n_instructions,
           SUM(t.n_executions)::BIGINT AS n_executions,
           (SUM(t.n_executions) * p.n_instructions)::BIGINT AS n_bytecodes
    FROM thread_part AS t
    JOIN run.block_part AS p ON p.block_part_id = t.block_part_id
    JOIN run.basic_block AS b ON b.basic_block_id = p.basic_block_id
    GROUP BY p.block_part_id, p.basic_block_id, b.method_id, p.first_offset, p.last_offset,
             p.n_instructions
    HAVING SUM(t.n_executions) > 0
