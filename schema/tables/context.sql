/**
 * @table        context
 * @description  The nodes of the calling context trees, one tree per thread. A node is identified by
 *               its parent, the call site in the parent's method and the called method. Keys are in
 *               pre-order, so the subtree of a node has the keys context_id to context_id + size -
 *               1. Siblings are ordered by call site (null last), then method.
 * @recorded     always
 * @order        context_id
 * @element      context
 * @within       thread, last
 * @named_by     depth
 */
CREATE TABLE context (
    context_id    INTEGER PRIMARY KEY,  -- dense key in pre-order
    parent_id     INTEGER REFERENCES context (context_id),  -- calling node; null: root of a thread
    thread_id     INTEGER NOT NULL REFERENCES thread (thread_id),  -- thread
    method_id     INTEGER REFERENCES method (method_id),  -- called method; null: root of a thread
    call_site_id  INTEGER REFERENCES call_site (call_site_id),  -- call site in the parent's method; null: root of a thread, or called by the VM to start a thread
    depth         INTEGER NOT NULL,     -- number of nodes above it; 0 for a root
    size          INTEGER NOT NULL,     -- number of nodes in its subtree, including itself
    n_calls       BIGINT NOT NULL,      -- calls of the method in this context; 0 for a root [call]
    n_bytecodes   BIGINT NOT NULL,      -- bytecodes that the method itself executed in this context, without callees; a block in which an instruction throws counts as a whole, or up to that instruction with --exact-exceptions [bytecode]
    ancestor_id   INTEGER REFERENCES context (context_id),  -- nearest node above with the same method; null: none
    is_folded     BOOLEAN NOT NULL      -- whether it also counts calls deeper down that were folded into it; back_edge has their edges
);
