/**
 * @table        execution_sample
 * @description  Samples of what threads run, every 40 ms or as `--sample-every` says. The VM chooses some of the threads that run at
 *               that moment.
 * @source       the event stream
 * @events       jdk.ExecutionSample, jdk.NativeMethodSample
 * @settings     period 40 ms
 * @fields       at_ns startTime, thread_id sampledThread, stack_id stack:stackTrace, is_native
 *               $event=jdk.NativeMethodSample, state state
 * @binned       by thread_id, stack_id, is_native, state
 */
CREATE TABLE execution_sample (
    at_ns      BIGINT NOT NULL,                              -- when it was, since 1970 [ns]
    thread_id  INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread; null: no thread of the VM
    stack_id   INTEGER,                                      -- stack, as in `stack_frame`; null: the stream has no stack
    is_native  BOOLEAN NOT NULL,                             -- whether the thread was in a native method
    state      VARCHAR                                       -- state of the thread; null: the stream does not say
);
