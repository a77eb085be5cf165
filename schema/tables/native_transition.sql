/**
 * @table        native_transition
 * @description  How often each thread passed from bytecode to native code and back: calls of native
 *               methods, and calls by JNI of Java methods and constructors. Calls that the VM itself
 *               makes (class initialisers, loadClass, Thread.run) pass no function of JNI, and are
 *               not among them. Threads without such calls have no row.
 * @recorded     --probes native
 * @order        thread_id, kind
 * @element      transition
 * @within       thread 4
 */
CREATE TABLE native_transition (
    thread_id      INTEGER NOT NULL REFERENCES thread (thread_id),  -- thread
    kind           native_kind NOT NULL,  -- what was called
    n_transitions  BIGINT NOT NULL CHECK (n_transitions >= 1),  -- calls, at least 1 [call]
    PRIMARY KEY (thread_id, kind)
);
