/**
 * @table        monitor_wait
 * @description  One row per call of `Object.wait`.
 * @source       the event stream
 * @events       jdk.JavaMonitorWait
 * @settings     threshold 0 ns, stackTrace true
 * @fields       start_ns startTime, duration_ns duration, thread_id eventThread, stack_id
 *               stack:stackTrace, class_name monitorClass.name, notifier_id notifier, is_timed_out
 *               timedOut, address address
 * @binned       by thread_id, stack_id, class_name, notifier_id, is_timed_out; sum duration_ns
 */
CREATE TABLE monitor_wait (
    start_ns      BIGINT NOT NULL,                              -- when it began, since 1970 [ns]
    duration_ns   BIGINT NOT NULL,                              -- how long it took [ns]
    thread_id     INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that waited; null: no thread of the VM
    stack_id      INTEGER,                                      -- stack, as in `stack_frame`; null: the stream has no stack
    class_name    VARCHAR,                                      -- class of the object, in JVM form; null: the stream does not say
    notifier_id   INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that notified it; null: nobody did, or the stream does not say
    is_timed_out  BOOLEAN NOT NULL,                             -- whether the time was over
    address       BIGINT NOT NULL                               -- address of the monitor, the same for waits at one time
);
