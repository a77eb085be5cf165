/**
 * @table        vm_operation
 * @description  One row per operation that the VM did in its own thread.
 * @source       the event stream
 * @events       jdk.ExecuteVMOperation
 * @settings     threshold 0 ns
 * @fields       start_ns startTime, duration_ns duration, operation operation, is_at_safepoint
 *               safepoint, is_blocking blocking, caller_id caller, safepoint_id safepointId>0
 * @binned       by operation, is_at_safepoint, is_blocking, caller_id; sum duration_ns
 */
CREATE TABLE vm_operation (
    start_ns         BIGINT NOT NULL,                              -- when it began, since 1970 [ns]
    duration_ns      BIGINT NOT NULL,                              -- how long it took [ns]
    operation        VARCHAR,                                      -- what it did; null: the stream does not say
    is_at_safepoint  BOOLEAN NOT NULL,                             -- whether all threads stood still
    is_blocking      BOOLEAN NOT NULL,                             -- whether the thread that asked for it waited
    caller_id        INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that asked for it; null: the VM itself asked
    safepoint_id     BIGINT                                        -- safepoint that it was done in; null: it needed none
);
