/**
 * @description The contexts with their place in the tree and the contexts called from each. The
 *              root of a thread is not a call, and is left out.
 * @column      context_id  integer           context
 * @column      method_id   integer           its method
 * @column      depth       integer  frame    frames on the stack while it runs, its own included
 * @column      degree      integer  context  contexts called from it, in or out of the scope
 */
CREATE MACRO contexts.shaped() AS TABLE
    WITH called AS (
        SELECT parent_id, COUNT(*) AS degree
        FROM run.context
        GROUP BY parent_id
    )
    SELECT node.context_id,
           node.method_id,
           node.depth,
           COALESCE(called.degree, 0) AS degree
    FROM context AS node
    LEFT JOIN called ON called.parent_id = node.context_id
    WHERE node.method_id IS NOT NULL
