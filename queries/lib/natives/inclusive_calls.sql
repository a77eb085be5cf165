/**
 * @description For each context how often its subtree called native methods, itself included, as
 *              far as the scope goes; by prefix sums in the order of the keys, so linear in the
 *              tree.
 * @column      context_id  integer        context
 * @column      n_calls     integer  call  calls of native methods
 */
CREATE MACRO natives.inclusive_calls() AS TABLE
    WITH prefix AS (
        SELECT c.context_id,
               c.context_id + c.size - 1 AS last_id,
               COALESCE(own.n_calls, 0) AS n_calls,
               SUM(own.n_calls) OVER (ORDER BY c.context_id ROWS UNBOUNDED PRECEDING) AS upto
        FROM context AS c
        LEFT JOIN natives.calls() AS own ON own.context_id = c.context_id
    )
    SELECT node.context_id,
           (COALESCE(last.upto, 0) - COALESCE(node.upto, 0) + node.n_calls)::BIGINT AS n_calls
    FROM prefix AS node
    ASOF JOIN prefix AS last ON node.last_id >= last.context_id
