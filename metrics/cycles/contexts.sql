/**
 * @id           cycles.contexts
 * @name         Cycles of each context
 * @description  What each context would cost on another processor, as cycles.run says, by itself
 *               and with all that it calls. Null for a context without a cost: a native, unless
 *               the model gives one, or a method whose blocks were not counted. What is called
 *               below counts if it is in the scope.
 * @kind         table
 * @version      2
 * @grain        context
 * @column       context_id        integer               context
 * @column       exclusive_cycles  integer  cycle        of its own blocks, calls and returns
 * @column       inclusive_cycles  integer  cycle        of its subtree, itself included
 * @column       n_unpriced        integer  instruction  executions in it of instructions without a cost
 * @column       n_unpriced_calls  integer  call         its calls, if its method's body has no cost
 * @better       lower
 * @param        min_cycles integer 0 leave out contexts whose inclusive cycles are fewer
 * @param        model text jop-2008-07 name of a cost model; its own parameters are parameters, too
 * @param        cache text none none: methods are always loaded; perfect: never; recorded: as simulated
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
