/**
 * @description Each instruction that was executed at least once, over all contexts: those of the
 *              basic blocks executed. A block in which an instruction throws counts whole.
 * @column      instruction_id  integer             instruction
 * @column      basic_block_id  integer             its block
 * @column      method_id       integer             its method
 * @column      opcode          text                mnemonic
 * @column      operand         text                as instruction.operand has it
 * @column      n_executions    integer  execution  executions of its block
 */
CREATE MACRO blocks.instructions() AS TABLE
    SELECT i.instruction_id,
           i.basic_block_id,
           b.method_id,
           i.opcode,
           i.operand,
           b.n_executions
    FROM blocks.executed() AS b
    JOIN run.instruction AS i ON i.basic_block_id = b.basic_block_id
