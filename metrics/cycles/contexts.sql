/**
 * @id           cycles.contexts
 * @name         Cycles of each context
 * @description  The cost of each context on another processor, by the cost model of cycles.run:
 *               exclusive, and inclusive of the contexts below it in the scope. Null for a context
 *               without a cost: a native method, unless the model has a cost for it, or a method
 *               whose blocks were not counted.
 * @kind         table
 * @version      3
 * @grain        context
 * @column       context_id        integer               context
 * @column       exclusive_cycles  integer  cycle        its own blocks, calls and returns
 * @column       inclusive_cycles  integer  cycle        its subtree, including itself
 * @column       n_unpriced        integer  instruction  executions of instructions without a cost
 * @column       n_unpriced_calls  integer  call         its calls, if its method has no cost
 * @sums         exclusive_cycles n_unpriced n_unpriced_calls
 * @levels       inclusive_cycles
 * @better       lower
 * @param        min_cycles integer 0 leave out contexts with fewer inclusive cycles
 * @param        model text jop-2008-07 name of a cost model, which can add parameters
 * @param        cache text none none: always load methods; perfect: never; recorded: as simulated
 * @requires     context_block, instruction, call_site, context, back_edge, unfolded
 * @import       costs
 * @source       METRICS cycles; Binder et al. 2008 (CProf), section 3.2
 * @tags         cycles context paper
 */
SELECT cost.context_id,
       cost.exclusive_cycles,
       cost.inclusive_cycles,
       cost.n_unpriced,
       cost.n_unpriced_calls,
       CASE WHEN cost.exclusive_cycles IS NOT NULL THEN NULL
            WHEN method.is_native THEN 'native: the cost model has no cost for it'
            ELSE 'not covered: its blocks were not counted'
       END AS reason
FROM costs.inclusive($cache) AS cost
JOIN run.method AS method ON method.method_id = cost.method_id
WHERE cost.inclusive_cycles >= $min_cycles
   OR (cost.inclusive_cycles IS NULL AND $min_cycles = 0)
ORDER BY cost.context_id
