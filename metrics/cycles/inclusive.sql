/**
 * @id           cycles.inclusive
 * @name         Cycles of each method with everything that it calls
 * @description  The cost of each method and everything that it calls on another processor, by the
 *               cost model of cycles.run. It is the sum over the subtrees of the method's topmost
 *               contexts (those without a context of the same method above them), so recursive
 *               calls count once.
 * @kind         table
 * @version      3
 * @grain        method
 * @column       method_id         integer         method
 * @column       inclusive_cycles  integer  cycle  cycles of its topmost subtrees
 * @column       exclusive_cycles  integer  cycle  its own blocks, calls and returns
 * @column       share             number   1      share of the run's cycles, inclusive
 * @sums         exclusive_cycles
 * @shares       share
 * @levels       inclusive_cycles
 * @better       lower
 * @param        model text jop-2008-07 name of a cost model, which can add parameters
 * @param        cache text none none: always load methods; perfect: never; recorded: as simulated
 * @requires     context_block, instruction, call_site, context, back_edge, unfolded
 * @import       costs
 * @source       METRICS cycles; Binder et al. 2008 (CProf), section 3.2
 * @tags         cycles method paper
 */
WITH context_cost AS (
    SELECT cost.context_id, cost.method_id, cost.exclusive_cycles, cost.inclusive_cycles,
           above.context_id IS NULL AS is_topmost
    FROM costs.inclusive($cache) AS cost
    LEFT JOIN context AS above ON above.context_id = cost.ancestor_id
)
SELECT method_id,
       SUM(inclusive_cycles) FILTER (WHERE is_topmost)::BIGINT AS inclusive_cycles,
       SUM(exclusive_cycles)::BIGINT AS exclusive_cycles,
       (SUM(inclusive_cycles) FILTER (WHERE is_topmost))::DOUBLE
           / NULLIF(SUM(SUM(exclusive_cycles)) OVER (), 0) AS share,
       CASE WHEN COUNT(exclusive_cycles) = 0 THEN 'no cost: native, or its blocks were not counted' END
           AS reason
FROM context_cost
GROUP BY method_id
ORDER BY inclusive_cycles DESC NULLS LAST, method_id
