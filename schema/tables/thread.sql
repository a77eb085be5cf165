/**
 * @table        thread
 * @description  The threads that ran. Each is the root of a calling context tree.
 * @recorded     always
 * @order        start_order
 * @element      thread
 * @within       cct 1
 * @named_by     name
 */
CREATE TABLE thread (
    thread_id        INTEGER PRIMARY KEY,   -- dense key
    name             VARCHAR NOT NULL,      -- name when it ended; a lone surrogate in it is ?
    kind             thread_kind NOT NULL,  -- platform or virtual
    start_order      INTEGER NOT NULL,      -- position in the order in which threads first executed code
    root_context_id  INTEGER NOT NULL,      -- context.context_id of its root
    is_daemon        BOOLEAN NOT NULL,      -- whether it is a daemon thread
    is_vm_internal   BOOLEAN NOT NULL       -- whether it serves the VM: reference handling, signals, carriers
);
