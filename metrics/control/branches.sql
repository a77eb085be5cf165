/**
 * @id           control.branches
 * @name         Branches
 * @description  Executions of branch instructions: conditional branches (the if instructions) and
 *               switches; in total and per thousand bytecodes executed. Instructions with only one
 *               target (goto, jsr, ret), invokes and returns do not count.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_branches      integer  execution    conditional branches and switches
 * @column       n_conditionals  integer  execution    conditional branches
 * @column       n_switches      integer  execution    tableswitch and lookupswitch
 * @column       density         number   1/kbytecode  branches per thousand bytecodes
 * @column       n_bytecodes     integer  bytecode     bytecodes executed
 * @sums         n_branches n_conditionals n_switches n_bytecodes
 * @levels       density
 * @overview     210 density branches per thousand bytecodes
 * @better       none
 * @requires     thread_block, basic_block, instruction
 * @import       blocks
 * @import       stats
 * @source       Dufour et al. 2003 (*J) structure.controlDensity
 * @tags         control starj
 */
WITH executed AS (
    SELECT opcode IN ('tableswitch', 'lookupswitch') AS is_switch, n_executions
    FROM blocks.instructions()
    WHERE opcode IN ('tableswitch', 'lookupswitch') OR starts_with(opcode, 'if')
),
counted AS (
    SELECT COALESCE(SUM(n_executions) FILTER (WHERE NOT is_switch), 0)::BIGINT AS n_conditionals,
           COALESCE(SUM(n_executions) FILTER (WHERE is_switch), 0)::BIGINT AS n_switches,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM blocks.executed())::BIGINT AS n_bytecodes
    FROM executed
)
SELECT n_conditionals + n_switches AS n_branches,
       n_conditionals,
       n_switches,
       stats.per_thousand(n_conditionals + n_switches, n_bytecodes) AS density,
       n_bytecodes
FROM counted
