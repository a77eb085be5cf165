/**
 * @table        sleep
 * @description  One row per call of `Thread.sleep`.
 * @source       the event stream
 * @events       jdk.ThreadSleep
 * @settings     threshold 0 ns, stackTrace true
 * @fields       start_ns startTime, duration_ns duration, thread_id eventThread, stack_id
 *               stack:stackTrace
 * @binned       by thread_id, stack_id; sum duration_ns
 */
CREATE TABLE sleep (
    start_ns     BIGINT NOT NULL,                              -- when it began, since 1970 [ns]
    duration_ns  BIGINT NOT NULL,                              -- how long it took [ns]
    thread_id    INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that slept; null: no thread of the VM
    stack_id     INTEGER                                       -- stack, as in `stack_frame`; null: the stream has no stack
);
