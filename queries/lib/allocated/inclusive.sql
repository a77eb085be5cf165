/**
 * @description For each context what its subtree allocated, itself included, as far as the scope
 *              goes; by prefix sums in the order of the keys, so linear in the tree.
 * @column      context_id  integer          context
 * @column      n_objects   integer  object  objects, with arrays
 * @column      n_bytes     integer  byte    bytes of those of known size
 */
CREATE MACRO allocated.inclusive() AS TABLE
    WITH prefix AS (
        SELECT c.context_id,
               c.context_id + c.size - 1 AS last_id,
               COALESCE(own.n_objects, 0) AS n_objects,
               COALESCE(own.n_bytes, 0) AS n_bytes,
               SUM(own.n_objects) OVER upto AS objects_upto,
               SUM(own.n_bytes) OVER upto AS bytes_upto
        FROM context AS c
        LEFT JOIN allocated.contexts() AS own ON own.context_id = c.context_id
        WINDOW upto AS (ORDER BY c.context_id ROWS UNBOUNDED PRECEDING)
    )
    SELECT node.context_id,
           (COALESCE(last.objects_upto, 0) - COALESCE(node.objects_upto, 0) + node.n_objects)::BIGINT
               AS n_objects,
           (COALESCE(last.bytes_upto, 0) - COALESCE(node.bytes_upto, 0) + node.n_bytes)::BIGINT
               AS n_bytes
    FROM prefix AS node
    ASOF JOIN prefix AS last ON node.last_id >= last.context_id
