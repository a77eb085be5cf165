/**
 * @table        deoptimization
 * @description  One row per time that compiled code gave up and the interpreter went on.
 * @source       the event stream
 * @events       jdk.Deoptimization
 * @settings     stackTrace true
 * @fields       at_ns startTime, thread_id eventThread, stack_id stack:stackTrace, compile_id compileId,
 *               compiler compiler, vm_method_id method, bytecode_index bci>=0, line lineNumber>0,
 *               instruction instruction, reason reason, action action
 * @binned       by thread_id, stack_id, compiler, vm_method_id, instruction, reason, action
 */
CREATE TABLE deoptimization (
    at_ns           BIGINT NOT NULL,                              -- when it was, since 1970 [ns]
    thread_id       INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that did it; null: no thread of the VM
    stack_id        INTEGER,                                      -- stack, as in `stack_frame`; null: the stream has no stack
    compile_id      INTEGER NOT NULL,                             -- compilation whose code gave up
    compiler        VARCHAR,                                      -- compiler of that code; null: the stream does not say
    vm_method_id    INTEGER REFERENCES vm_method (vm_method_id),  -- method; null: the stream does not say
    bytecode_index  INTEGER,                                      -- offset in the method; null: the stream does not say
    line            INTEGER,                                      -- source line; null: the class has no line numbers
    instruction     VARCHAR,                                      -- bytecode there; null: the stream does not say
    reason          VARCHAR,                                      -- why; null: the stream does not say
    action          VARCHAR                                       -- what becomes of the code; null: the stream does not say
);
