/**
 * @table        monitor_enter
 * @description  One row per time that a thread waited to enter a monitor.
 * @source       the event stream
 * @events       jdk.JavaMonitorEnter
 * @settings     threshold 0 ns, stackTrace true
 * @fields       start_ns startTime, duration_ns duration, thread_id eventThread, stack_id
 *               stack:stackTrace, class_name monitorClass.name, owner_id previousOwner, address address
 * @binned       by thread_id, stack_id, class_name, owner_id; sum duration_ns
 */
CREATE TABLE monitor_enter (
    start_ns     BIGINT NOT NULL,                              -- when it began, since 1970 [ns]
    duration_ns  BIGINT NOT NULL,                              -- how long it took [ns]
    thread_id    INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that waited; null: no thread of the VM
    stack_id     INTEGER,                                      -- stack, as in `stack_frame`; null: the stream has no stack
    class_name   VARCHAR,                                      -- class of the object, in JVM form; null: the stream does not say
    owner_id     INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that had the monitor; null: the stream does not say
    address      BIGINT NOT NULL                               -- address of the monitor, the same for waits at one time
);
