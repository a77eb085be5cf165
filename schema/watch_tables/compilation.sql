/**
 * @table        compilation
 * @description  One row per compilation of a method by the VM.
 * @source       the event stream
 * @events       jdk.Compilation
 * @settings     threshold 0 ns
 * @fields       start_ns startTime, duration_ns duration, thread_id eventThread, compile_id compileId,
 *               compiler compiler, tier compileLevel, vm_method_id method, is_osr isOsr, is_successful
 *               succeded, code_bytes codeSize, inlined_bytes inlinedBytes
 * @binned       by thread_id, compiler, tier, vm_method_id, is_osr, is_successful; sum duration_ns,
 *               code_bytes, inlined_bytes
 */
CREATE TABLE compilation (
    start_ns       BIGINT NOT NULL,                              -- when it began, since 1970 [ns]
    duration_ns    BIGINT NOT NULL,                              -- how long it took [ns]
    thread_id      INTEGER REFERENCES vm_thread (vm_thread_id),  -- compiler thread; null: no thread of the VM
    compile_id     INTEGER NOT NULL,                             -- number of the compilation in its VM
    compiler       VARCHAR,                                      -- compiler, such as c1 or c2; null: the stream does not say
    tier           INTEGER NOT NULL,                             -- level of the compiled code, from 1 to 4
    vm_method_id   INTEGER REFERENCES vm_method (vm_method_id),  -- method; null: the stream does not say
    is_osr         BOOLEAN NOT NULL,                             -- whether the code is entered in a loop
    is_successful  BOOLEAN NOT NULL,                             -- whether there is code
    code_bytes     BIGINT NOT NULL,                              -- size of the code [byte]
    inlined_bytes  BIGINT NOT NULL                               -- bytecode that was inlined [byte]
);
