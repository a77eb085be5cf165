/**
 * @table        park
 * @description  One row per time that a thread was parked, as by locks of `java.util.concurrent`.
 * @source       the event stream
 * @events       jdk.ThreadPark
 * @settings     threshold 0 ns, stackTrace true
 * @fields       start_ns startTime, duration_ns duration, thread_id eventThread, stack_id
 *               stack:stackTrace, class_name parkedClass.name
 * @binned       by thread_id, stack_id, class_name; sum duration_ns
 */
CREATE TABLE park (
    start_ns     BIGINT NOT NULL,                              -- when it began, since 1970 [ns]
    duration_ns  BIGINT NOT NULL,                              -- how long it took [ns]
    thread_id    INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that was parked; null: no thread of the VM
    stack_id     INTEGER,                                      -- stack, as in `stack_frame`; null: the stream has no stack
    class_name   VARCHAR                                       -- class of the object that it waited for, in JVM form; null: it was parked without one
);
