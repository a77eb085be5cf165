/**
 * @id           execution.totals
 * @name         How much was executed
 * @description  Executions of methods, basic blocks, bytecodes and invoke instructions. A block in
 *               which an instruction throws counts as a whole, or up to that instruction if the run
 *               was recorded with --exact-exceptions. Methods without block counts
 *               (method.coverage) have executions but no bytecodes. A recorded JVM has no class
 *               archive, so its start executes more than that of a bare JVM; the scope application+
 *               leaves it out.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_executions        integer  execution  executions of methods
 * @column       n_block_executions  integer  execution  executions of basic blocks
 * @column       n_bytecodes         integer  bytecode   bytecodes executed
 * @column       n_invokes           integer  execution  executions of the five invoke instructions
 * @sums         n_executions n_block_executions n_bytecodes n_invokes
 * @overview     10 n_bytecodes bytecodes executed
 * @overview     20 n_executions executions of methods
 * @better       none
 * @requires     thread_method, thread_block, basic_block, instruction
 * @import       blocks
 * @source       Dufour et al. 2003 (*J) base.methods, base.instructions; DaCapo Chopin
 *               executed-bytecodes, executed-calls
 * @tags         execution starj dacapo
 */
SELECT (SELECT COALESCE(SUM(n_calls), 0) FROM thread_method)::BIGINT AS n_executions,
       (SELECT COALESCE(SUM(n_executions), 0) FROM thread_block)::BIGINT AS n_block_executions,
       (SELECT COALESCE(SUM(n_bytecodes), 0) FROM thread_method)::BIGINT AS n_bytecodes,
       (
           SELECT COALESCE(SUM(n_executions), 0)
           FROM blocks.instructions()
           WHERE opcode IN ('invokevirtual', 'invokespecial', 'invokestatic',
                            'invokeinterface', 'invokedynamic')
       )::BIGINT AS n_invokes
