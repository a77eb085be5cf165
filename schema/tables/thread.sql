/**
 * @table        thread
 * @description  The threads that ran, each the root of a calling context tree.
 * @recorded     always
 * @order        start_order
 */
CREATE TABLE thread (
    thread_id        INTEGER PRIMARY KEY,   -- dense key
    name             VARCHAR NOT NULL,      -- name when it ended
    kind             thread_kind NOT NULL,  -- platform or virtual
    start_order      INTEGER NOT NULL,      -- number in the order of first execution
    root_context_id  INTEGER NOT NULL,      -- context.context_id of its root
    is_daemon        BOOLEAN NOT NULL,      -- it does not keep the VM alive
    is_vm_internal   BOOLEAN NOT NULL       -- it serves the VM: reference handling, signals, carriers
);
