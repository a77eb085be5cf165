/**
 * @description What each context of the scope costs by itself and with its subtree, as far as the
 *              scope goes; by prefix sums in the order of the keys, so linear in the tree.
 * @param       cache  text  as that of costs.calls
 * @column      context_id        integer               context, no root
 * @column      method_id         integer               its method
 * @column      ancestor_id       integer               nearest context above of the same method
 * @column      exclusive_cycles  integer  cycle        of itself; null: nothing in it has a cost
 * @column      inclusive_cycles  integer  cycle        of the subtree; null: nothing in it has a cost
 * @column      n_unpriced        integer  instruction  executions of instructions without a cost
 * @column      n_unpriced_calls  integer  call         calls of it, if its body has no cost
 */
CREATE MACRO costs.inclusive(cache) AS TABLE
    WITH prefix AS (
        SELECT c.context_id,
               c.context_id + c.size - 1 AS last_id,
               c.method_id,
               c.ancestor_id,
               cost.cycles,
               cost.n_unpriced,
               cost.n_unpriced_calls,
               SUM(cost.cycles) OVER upto AS cycles_upto,
               COUNT(cost.cycles) OVER upto AS n_priced_upto
        FROM context AS c
        LEFT JOIN costs.contexts(cache) AS cost ON cost.context_id = c.context_id
        WINDOW upto AS (ORDER BY c.context_id ROWS UNBOUNDED PRECEDING)
    )
    SELECT node.context_id,
           node.method_id,
           node.ancestor_id,
           node.cycles AS exclusive_cycles,
           CASE WHEN last.n_priced_upto > node.n_priced_upto OR node.cycles IS NOT NULL
                THEN COALESCE(last.cycles_upto, 0) - COALESCE(node.cycles_upto, 0)
                     + COALESCE(node.cycles, 0)
           END::BIGINT AS inclusive_cycles,
           COALESCE(node.n_unpriced, 0) AS n_unpriced,
           COALESCE(node.n_unpriced_calls, 0) AS n_unpriced_calls
    FROM prefix AS node
    ASOF JOIN prefix AS last ON node.last_id >= last.context_id
    WHERE node.method_id IS NOT NULL
