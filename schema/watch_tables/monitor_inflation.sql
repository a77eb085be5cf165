/**
 * @table        monitor_inflation
 * @description  One row per time that an object got a monitor of its own.
 * @source       the event stream
 * @events       jdk.JavaMonitorInflate
 * @settings     threshold 0 ns, stackTrace true
 * @fields       start_ns startTime, duration_ns duration, thread_id eventThread, stack_id
 *               stack:stackTrace, class_name monitorClass.name, cause cause
 * @binned       by thread_id, stack_id, class_name, cause; sum duration_ns
 */
CREATE TABLE monitor_inflation (
    start_ns     BIGINT NOT NULL,                              -- when it began, since 1970 [ns]
    duration_ns  BIGINT NOT NULL,                              -- how long it took [ns]
    thread_id    INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that did it; null: no thread of the VM
    stack_id     INTEGER,                                      -- stack, as in `stack_frame`; null: the stream has no stack
    class_name   VARCHAR,                                      -- class of the object, in JVM form; null: the stream does not say
    cause        VARCHAR                                       -- why; null: the stream does not say
);
