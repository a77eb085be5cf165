/**
 * @table        compilation_failure
 * @description  One row per compilation that gave no code, with the reason.
 * @source       the event stream
 * @events       jdk.CompilationFailure
 * @fields       at_ns startTime, thread_id eventThread, compile_id compileId, reason failureMessage
 * @binned       by thread_id, reason
 */
CREATE TABLE compilation_failure (
    at_ns       BIGINT NOT NULL,                              -- when it was, since 1970 [ns]
    thread_id   INTEGER REFERENCES vm_thread (vm_thread_id),  -- compiler thread; null: no thread of the VM
    compile_id  INTEGER NOT NULL,                             -- number of the compilation in its VM
    reason      VARCHAR                                       -- why there is no code; null: the stream does not say
);
