/**
 * @table        thread
 * @description  The threads that ran.
 * @recorded     always
 * @order        start_order
 */
CREATE TABLE thread (
    thread_id       INTEGER PRIMARY KEY,   -- dense key
    name            VARCHAR NOT NULL,      -- name when it ended
    kind            thread_kind NOT NULL,  -- platform or virtual
    start_order     INTEGER NOT NULL,      -- position in the order in which threads began; virtual ones, with their first native method or call by JNI
    is_daemon       BOOLEAN NOT NULL,      -- whether it is a daemon thread
    is_vm_internal  BOOLEAN NOT NULL       -- whether it serves the VM: reference handling, signals, carriers
);
