/**
 * @description The contexts with their place in the tree and the contexts called from each. The
 *              root of a thread is not a call, and is left out.
 * @column      context_id  integer           context
 * @column      method_id   integer           its method
 * @column      depth       integer  frame    frames on the stack while it runs, its own included
 * @column      degree      integer  context  contexts called from it, in or out of the scope
 */
CREATE MACRO contexts.shaped() AS TABLE
    SELECT context_id,
           method_id,
           depth,
           _n_called(context_id) AS degree
    FROM context
    WHERE method_id IS NOT NULL
