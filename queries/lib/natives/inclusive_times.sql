/**
 * @description For each context the processor time of native methods in its subtree, itself included, as
 *              far as the scope goes; by prefix sums in the order of the keys, so linear in the
 *              tree.
 * @column      context_id  integer      context
 * @column      native_ns   integer  ns  processor time of native methods
 */
CREATE MACRO natives.inclusive_times() AS TABLE
    WITH prefix AS (
        SELECT c.context_id,
               c.context_id + c.size - 1 AS last_id,
               COALESCE(own.native_ns, 0) AS native_ns,
               SUM(own.native_ns) OVER (ORDER BY c.context_id ROWS UNBOUNDED PRECEDING) AS upto
        FROM context AS c
        LEFT JOIN natives.times() AS own ON own.context_id = c.context_id
    )
    SELECT node.context_id,
           (COALESCE(last.upto, 0) - COALESCE(node.upto, 0) + node.native_ns)::BIGINT AS native_ns
    FROM prefix AS node
    ASOF JOIN prefix AS last ON node.last_id >= last.context_id
