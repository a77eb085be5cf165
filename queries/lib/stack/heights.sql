/**
 * @description For each context of the scope, and others, the stack below its frame at the moment
 *              it is called, by running sums in the order of the keys, so linear in the tree: a
 *              frame's slots (max_locals + max_stack) are added where its subtree begins, and taken
 *              away where it ends. The root of a thread is no frame.
 * @column      context_id   integer         context that is called
 * @column      n_frames     integer  frame  frames on the stack, the caller's included
 * @column      n_slots      integer  slot   slots of these frames
 * @column      parent_id    integer         calling context
 * @column      ancestor_id  integer         nearest context above of the same method; null: none
 */
CREATE MACRO stack.heights() AS TABLE
    WITH frame AS (
        SELECT c.context_id,
               c.parent_id,
               c.ancestor_id,
               c.depth,
               c.end_id,
               COALESCE(m.max_locals + m.max_stack, 0) AS n_slots
        FROM lineage AS c
        LEFT JOIN run.method AS m ON m.method_id = c.method_id
    ),
    ended AS (
        SELECT end_id, SUM(n_slots) AS n_slots
        FROM frame
        WHERE n_slots > 0
        GROUP BY end_id
    )
    SELECT frame.context_id,
           frame.depth - 1 AS n_frames,
           (
               SUM(frame.n_slots - COALESCE(ended.n_slots, 0))
                   OVER (ORDER BY frame.context_id ROWS UNBOUNDED PRECEDING)
               - frame.n_slots
           )::BIGINT AS n_slots,
           frame.parent_id,
           frame.ancestor_id
    FROM frame
    LEFT JOIN ended ON ended.end_id = frame.context_id
