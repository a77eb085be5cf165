/**
 * @table        thread_time
 * @description  Processor time of each thread, in bytecode and in native code. The recording's own
 *               work is not in it where the recording knows of it; the code that it inserts into
 *               methods is, and belongs to bytecode. Measured, so runs are not compared by it.
 * @recorded     --probes native
 * @needs        a --native-clock other than none
 * @order        thread_id
 * @element      threadTime
 * @within       thread 6
 * @measured     yes
 */
CREATE TABLE thread_time (
    thread_id    INTEGER PRIMARY KEY REFERENCES thread (thread_id),  -- thread
    bytecode_ns  BIGINT NOT NULL,  -- time in bytecode, interpreted or compiled, and in the VM outside of native methods [ns]
    native_ns    BIGINT NOT NULL   -- time in native code [ns]
);
