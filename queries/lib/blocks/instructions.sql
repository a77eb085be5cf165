/**
 * @description Each instruction that was executed at least once, over all contexts: those of
 *              blocks.parts. Without --exact-exceptions a block in which an instruction throws
 *              counts whole.
 * @column      instruction_id  integer             instruction
 * @column      basic_block_id  integer             its block
 * @column      method_id       integer             its method
 * @column      opcode          text                mnemonic
 * @column      operand         text                as instruction.operand has it
 * @column      n_executions    integer  execution  executions of it
 */
CREATE MACRO blocks.instructions() AS TABLE
    SELECT i.instruction_id,
           i.basic_block_id,
           p.method_id,
           i.opcode,
           i.operand,
           p.n_executions
    FROM blocks.parts() AS p
    JOIN run.instruction AS i
        ON i.basic_block_id = p.basic_block_id
        AND i."offset" BETWEEN p.first_offset AND p.last_offset
