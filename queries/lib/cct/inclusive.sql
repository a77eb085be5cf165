/**
 * @description For each context the sums over its subtree, itself included, as far as the scope
 *              goes; by prefix sums in the order of the keys, so linear in the tree.
 * @column      context_id   integer            context
 * @column      n_calls      integer  call      executions of methods in the subtree
 * @column      n_bytecodes  integer  bytecode  bytecodes executed in the subtree
 */
CREATE MACRO cct.inclusive() AS TABLE
    WITH prefix AS (
        SELECT context_id,
               context_id + size - 1 AS last_id,
               n_calls,
               n_bytecodes,
               SUM(n_calls) OVER upto AS calls_upto,
               SUM(n_bytecodes) OVER upto AS bytecodes_upto
        FROM context
        WINDOW upto AS (ORDER BY context_id ROWS UNBOUNDED PRECEDING)
    )
    SELECT node.context_id,
           (last.calls_upto - node.calls_upto + node.n_calls)::BIGINT AS n_calls,
           (last.bytecodes_upto - node.bytecodes_upto + node.n_bytecodes)::BIGINT AS n_bytecodes
    FROM prefix AS node
    ASOF JOIN prefix AS last ON node.last_id >= last.context_id
