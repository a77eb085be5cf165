/**
 * @id           instructions.mix
 * @name         Instruction mix
 * @description  Executions of each of the JVM's 202 opcodes: over all basic blocks, executions of
 *               the block times occurrences in it. An opcode that never ran has 0. Blocks in
 *               which an instruction throws count whole; methods that are not covered by block
 *               counts (method.coverage) are not in it.
 * @kind         metric
 * @version      1
 * @grain        opcode
 * @column       opcode        text                mnemonic, in the order of the opcode numbers
 * @column       n_executions  integer  execution  executions
 * @column       share         number   1          of all bytecodes executed
 * @better       none
 * @requires     thread_block, instruction
 * @source       METRICS instructions.mix; Sarimbekov et al. 2013, Table 1
 * @tags         instructions paper
 */
WITH block AS (
    SELECT basic_block_id, SUM(n_executions)::BIGINT AS n_executions
    FROM thread_block
    GROUP BY basic_block_id
),
executed AS (
    SELECT instruction.opcode, SUM(block.n_executions)::BIGINT AS n_executions
    FROM block
    JOIN instruction USING (basic_block_id)
    GROUP BY instruction.opcode
)
SELECT opcode.name AS opcode,
       COALESCE(executed.n_executions, 0) AS n_executions,
       COALESCE(executed.n_executions, 0)::DOUBLE
           / NULLIF(SUM(executed.n_executions) OVER (), 0) AS share
FROM opcode
LEFT JOIN executed ON executed.opcode = opcode.name
ORDER BY opcode.number
