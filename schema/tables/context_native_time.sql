/**
 * @table        context_native_time
 * @description  Processor time of the functions of native methods by context, without what they
 *               call back by JNI: that is below the context. Measured, so it differs from run to
 *               run, and runs are not compared by it.
 * @recorded     --probes native
 * @needs        a --native-clock other than none
 * @order        context_id, method_id (null last), library (null last)
 * @element      nativeCallsTime
 * @within       context 11
 * @measured     yes
 */
CREATE TABLE context_native_time (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- context, as in context_native
    method_id   INTEGER REFERENCES method (method_id),  -- native method; null: not known, as in native_method
    library     VARCHAR,          -- library, as in native_method; null: not known
    self_ns     BIGINT NOT NULL   -- time in the function [ns]
);
