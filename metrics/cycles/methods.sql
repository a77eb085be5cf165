/**
 * @id           cycles.methods
 * @name         Cycles of each method
 * @description  The cost of each executed method on another processor, by the cost model of
 *               cycles.run, over all its contexts and without its callees. Null for a method
 *               without a cost: a native method, unless the model has a cost for it, or a method
 *               whose blocks were not counted.
 * @kind         table
 * @version      3
 * @grain        method
 * @column       method_id         integer               method
 * @column       cycles            integer  cycle        sum of all costs
 * @column       block_cycles      integer  cycle        instructions, with methods in the cache
 * @column       call_cycles       integer  cycle        loading the methods that it calls
 * @column       return_cycles     integer  cycle        loading the methods that it returns to
 * @column       share             number   1            share of the run's cycles
 * @column       n_unpriced        integer  instruction  executions of instructions without a cost
 * @column       n_unpriced_calls  integer  call         its calls, if it has no cost
 * @sums         cycles block_cycles call_cycles return_cycles n_unpriced n_unpriced_calls
 * @shares       share
 * @better       lower
 * @param        model text jop-2008-07 name of a cost model, which can add parameters
 * @param        cache text none none: always load methods; perfect: never; recorded: as simulated
 * @requires     thread_block, instruction, call_site, context, back_edge
 * @import       costs
 * @source       METRICS cycles; Binder et al. 2008 (CProf), section 3.2
 * @tags         cycles method paper
 */
WITH method_cost AS (
    SELECT method_id, cycles, block_cycles, call_cycles, return_cycles, n_unpriced,
           n_unpriced_calls
    FROM costs.methods($cache)
)
SELECT cost.method_id,
       cost.cycles,
       CASE WHEN cost.cycles IS NOT NULL THEN COALESCE(cost.block_cycles, 0) END AS block_cycles,
       CASE WHEN cost.cycles IS NOT NULL THEN COALESCE(cost.call_cycles, 0) END AS call_cycles,
       CASE WHEN cost.cycles IS NOT NULL THEN COALESCE(cost.return_cycles, 0) END AS return_cycles,
       cost.cycles::DOUBLE / NULLIF(SUM(cost.cycles) OVER (), 0) AS share,
       cost.n_unpriced,
       cost.n_unpriced_calls,
       CASE WHEN cost.cycles IS NOT NULL THEN NULL
            WHEN method.is_native THEN 'native: the cost model has no cost for it'
            ELSE 'not covered: its blocks were not counted'
       END AS reason
FROM method_cost AS cost
JOIN method ON method.method_id = cost.method_id
ORDER BY cost.cycles DESC NULLS LAST, cost.method_id
