/**
 * @table        thread_cpu_load
 * @description  Shares of all processors of the machine by thread, once a second.
 * @source       the event stream
 * @events       jdk.ThreadCPULoad
 * @settings     period 1 s
 * @fields       at_ns startTime, thread_id eventThread, user_mode user, system_mode system
 * @binned       by thread_id; sum user_mode, system_mode
 */
CREATE TABLE thread_cpu_load (
    at_ns        BIGINT NOT NULL,                              -- when it was, since 1970 [ns]
    thread_id    INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread; null: no thread of the VM
    user_mode    DOUBLE NOT NULL,                              -- share that the thread used in user mode, from 0 to 1
    system_mode  DOUBLE NOT NULL                               -- share that it used in the kernel
);
