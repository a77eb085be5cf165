/**
 * @table        native_time
 * @description  Processor time of the functions of native methods, without what they call back
 *               by JNI. Measured, so it differs from run to run, and runs are not compared by it.
 * @recorded     --probes native
 * @needs        a --native-clock other than none
 * @order        thread_id, method_id (null last), library (null last)
 * @element      nativeTime
 * @within       thread 5
 * @measured     yes
 */
CREATE TABLE native_time (
    thread_id  INTEGER NOT NULL REFERENCES thread (thread_id),  -- thread
    method_id  INTEGER REFERENCES method (method_id),  -- method; null: not known, as in native_method
    library    VARCHAR,          -- library, as in native_method; null: not known
    self_ns    BIGINT NOT NULL   -- time in the method's own function [ns]
);
