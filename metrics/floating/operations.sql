/**
 * @id           floating.operations
 * @name         Floating-point operations
 * @description  Executions of instructions on float and double values, in total and per thousand
 *               bytecodes executed: constants, loads, stores, array elements, arithmetic,
 *               comparisons and returns of these types, conversions from (not to) them, and
 *               accesses to fields of these types. A load or store with the prefix wide counts like
 *               one without. Constants loaded by ldc and moves on the operand stack (dup2, pop2) do
 *               not count, because the instruction does not name the type.
 * @kind         metric
 * @version      3
 * @grain        run
 * @column       n_operations  integer  execution    executions of all these instructions
 * @column       n_float       integer  execution    executions on float values
 * @column       n_double      integer  execution    executions on double values
 * @column       density       number   1/kbytecode  operations per thousand bytecodes
 * @column       n_bytecodes   integer  bytecode     bytecodes executed
 * @sums         n_operations n_float n_double n_bytecodes
 * @levels       density
 * @overview     200 density floating point operations per thousand bytecodes
 * @better       none
 * @requires     thread_block, basic_block, instruction
 * @import       blocks
 * @import       opcodes
 * @import       stats
 * @source       Dufour et al. 2003 (*J) data.floatDensity, with the instructions that its
 *               implementation lists
 * @tags         floating starj
 */
WITH instruction_run AS (
    SELECT opcodes.widened(opcode, operand) AS opcode, operand, n_executions
    FROM blocks.instructions()
),
executed AS (
    SELECT CASE
               WHEN opcode IN ('getfield', 'putfield', 'getstatic', 'putstatic')
                   THEN lower(right(operand, 1))
               ELSE left(opcode, 1)
           END AS kind,
           n_executions
    FROM instruction_run
    WHERE (left(opcode, 1) IN ('f', 'd') AND NOT starts_with(opcode, 'dup'))
       OR (
           opcode IN ('getfield', 'putfield', 'getstatic', 'putstatic')
           AND right(operand, 2) IN (':F', ':D')
       )
),
counted AS (
    SELECT COALESCE(SUM(n_executions) FILTER (WHERE kind = 'f'), 0)::BIGINT AS n_float,
           COALESCE(SUM(n_executions) FILTER (WHERE kind = 'd'), 0)::BIGINT AS n_double,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM blocks.executed())::BIGINT AS n_bytecodes
    FROM executed
)
SELECT n_float + n_double AS n_operations,
       n_float,
       n_double,
       stats.per_thousand(n_float + n_double, n_bytecodes) AS density,
       n_bytecodes
FROM counted
