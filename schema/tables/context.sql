/**
 * @table        context
 * @description  The nodes of the calling context trees, one tree a thread. A node is its parent,
 *               the call site in the parent's method and the called method. Keys are in pre-order,
 *               so the subtree of a node is the keys from context_id to context_id + size - 1;
 *               siblings are ordered by call site (null last), then method.
 * @recorded     always
 * @order        context_id
 */
CREATE TABLE context (
    context_id    INTEGER PRIMARY KEY,  -- dense key in pre-order
    parent_id     INTEGER REFERENCES context (context_id),  -- calling node; null: root of a thread
    thread_id     INTEGER NOT NULL REFERENCES thread (thread_id),  -- thread
    method_id     INTEGER REFERENCES method (method_id),  -- called method; null: root of a thread
    call_site_id  INTEGER REFERENCES call_site (call_site_id),  -- site in the parent's method; null: root, or called by the VM to begin a thread
    depth         INTEGER NOT NULL,     -- nodes above it; a root has 0
    size          INTEGER NOT NULL,     -- nodes of its subtree, itself included
    n_calls       BIGINT NOT NULL,      -- calls of the method in this context; 0 for a root [call]
    n_bytecodes   BIGINT NOT NULL,      -- bytecodes executed by the method itself here, callees excluded; a block in which an instruction throws counts up to it with --exact-exceptions, else whole [bytecode]
    ancestor_id   INTEGER REFERENCES context (context_id),  -- nearest node above of the same method; null: none
    is_folded     BOOLEAN NOT NULL      -- it also stands for calls deeper down, whose edges back_edge lists
);
