/**
 * @id           cycles.run
 * @name         Cycles of a target processor
 * @description  The cost of the run on another processor, computed with a cost model: for each
 *               basic block, its executions times the cost of its instructions; for each call, the
 *               extra cost that depends on the size of the called method; for each return, the
 *               extra cost that depends on the size of the method that continues. Instructions and
 *               native calls without a cost in the model are left out of the sum and counted. For a
 *               method whose blocks were not counted, each call costs as much as the method's only
 *               block. In a scope, a call belongs to its caller and a return to its callee.
 * @kind         metric
 * @version      3
 * @grain        run
 * @column       cycles               integer  cycle        sum of all costs
 * @column       block_cycles         integer  cycle        instructions, with methods in the cache
 * @column       call_cycles          integer  cycle        loading methods that are called
 * @column       return_cycles        integer  cycle        loading methods that are returned to
 * @column       n_bytecodes          integer  bytecode     bytecodes executed
 * @column       cycles_per_bytecode  number   cycle        cycles divided by bytecodes
 * @column       n_unpriced           integer  instruction  executions of instructions without a cost
 * @column       n_unpriced_calls     integer  call         calls of methods without a cost
 * @sums         cycles block_cycles call_cycles return_cycles n_bytecodes n_unpriced
 *               n_unpriced_calls
 * @levels       cycles_per_bytecode
 * @overview     230 cycles_per_bytecode cycles of the cost model per bytecode
 * @better       lower
 * @param        model text jop-2008-07 name of a cost model, which can add parameters
 * @param        cache text none none: always load methods; perfect: never; recorded: as simulated
 * @requires     thread_block, instruction, call_site, context, back_edge
 * @import       costs
 * @source       METRICS cycles; Binder et al. 2008 (CProf), section 3.2
 * @tags         cycles paper
 */
WITH total AS (
    SELECT COALESCE(SUM(n_unpriced), 0) AS n_unpriced,
           COALESCE(SUM(n_unpriced_calls), 0) AS n_unpriced_calls,
           COALESCE(SUM(cycles), CASE WHEN COUNT(*) = 0 THEN 0 END) AS cycles,
           SUM(block_cycles) AS block_cycles,
           SUM(call_cycles) AS call_cycles,
           SUM(return_cycles) AS return_cycles
    FROM costs.methods($cache)
),
executed AS (
    SELECT COALESCE(SUM(n_bytecodes), 0) AS n_bytecodes
    FROM thread_method
)
SELECT total.cycles,
       CASE WHEN total.cycles IS NOT NULL THEN COALESCE(total.block_cycles, 0) END AS block_cycles,
       CASE WHEN total.cycles IS NOT NULL THEN COALESCE(total.call_cycles, 0) END AS call_cycles,
       CASE WHEN total.cycles IS NOT NULL THEN COALESCE(total.return_cycles, 0) END
           AS return_cycles,
       executed.n_bytecodes,
       total.cycles::DOUBLE / NULLIF(executed.n_bytecodes, 0) AS cycles_per_bytecode,
       total.n_unpriced,
       total.n_unpriced_calls,
       CASE WHEN total.cycles IS NULL THEN 'nothing that was executed has a cost' END AS reason
FROM total
CROSS JOIN executed
