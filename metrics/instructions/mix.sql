/**
 * @id           instructions.mix
 * @name         Instruction mix
 * @description  Executions of each of the JVM's 202 opcodes: for all basic blocks, executions of
 *               the block times occurrences of the opcode in it. An opcode that never ran has 0. A
 *               block in which an instruction throws counts as a whole, or up to that instruction
 *               if the run was recorded with --exact-exceptions. Methods without block counts
 *               (method.coverage) are left out.
 * @kind         metric
 * @version      2
 * @grain        opcode
 * @column       opcode        text                mnemonic, in the order of the opcode numbers
 * @column       n_executions  integer  execution  executions
 * @column       share         number   1          share of all bytecodes executed
 * @sums         n_executions
 * @shares       share
 * @plot         bar opcode share
 * @better       none
 * @requires     thread_block, basic_block, instruction
 * @import       blocks
 * @source       METRICS instructions.mix; Sarimbekov et al. 2013, Table 1
 * @tags         instructions paper
 */
WITH executed AS (
    SELECT opcode, SUM(n_executions)::BIGINT AS n_executions
    FROM blocks.instructions()
    GROUP BY opcode
)
SELECT opcode.name AS opcode,
       COALESCE(executed.n_executions, 0) AS n_executions,
       COALESCE(executed.n_executions, 0)::DOUBLE
           / NULLIF(SUM(executed.n_executions) OVER (), 0) AS share
FROM opcode
LEFT JOIN executed ON executed.opcode = opcode.name
ORDER BY opcode.number
