/**
 * @id           execution.methods
 * @name         Executions of each method
 * @description  For each executed method: its executions, and the bytecodes that it executed
 *               itself, without its callees. A block in which an instruction throws counts as a
 *               whole, or up to that instruction if the run was recorded with --exact-exceptions.
 *               Methods without block counts (method.coverage) have no bytecodes.
 * @kind         table
 * @version      2
 * @grain        method
 * @column       method_id     integer             method
 * @column       n_executions  integer  execution  executions of the method
 * @column       n_bytecodes   integer  bytecode   bytecodes executed in it
 * @sums         n_executions n_bytecodes
 * @overview     240 rows
 * @sort         n_bytecodes
 * @better       none
 * @requires     thread_method
 * @source       execution.totals, the numbers for each method
 * @tags         execution method
 */
SELECT method_id,
       SUM(n_calls)::BIGINT AS n_executions,
       SUM(n_bytecodes)::BIGINT AS n_bytecodes
FROM thread_method
GROUP BY method_id
ORDER BY method_id
