/**
 * @table        inlining
 * @description  One row per call that a compiler thought of inlining. Of calls that C2 leaves virtual, and
 *               of method handles whose target varies, the VM does not tell.
 * @source       the event stream
 * @events       jdk.CompilerInlining
 * @fields       at_ns startTime, compile_id compileId, caller_id caller, bytecode_index bci>=0,
 *               callee_class callee.type, callee_name callee.name, callee_descriptor callee.descriptor,
 *               is_inlined succeeded, reason message
 * @binned       by caller_id, callee_class, callee_name, callee_descriptor, is_inlined, reason
 */
CREATE TABLE inlining (
    at_ns              BIGINT NOT NULL,                              -- when it was, since 1970 [ns]
    compile_id         INTEGER NOT NULL,                             -- number of the compilation in its VM
    caller_id          INTEGER REFERENCES vm_method (vm_method_id),  -- method with the call; null: the stream does not say
    bytecode_index     INTEGER,                                      -- offset of the call in its method; null: the stream does not say
    callee_class       VARCHAR,                                      -- class of the called method, in JVM form; null: the stream does not say
    callee_name        VARCHAR,                                      -- name of the called method; null: the stream does not say
    callee_descriptor  VARCHAR,                                      -- its descriptor; null: the stream does not say
    is_inlined         BOOLEAN NOT NULL,                             -- whether it was inlined
    reason             VARCHAR                                       -- what the compiler says of it; null: the stream does not say
);
