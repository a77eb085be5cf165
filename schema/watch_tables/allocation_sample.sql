/**
 * @table        allocation_sample
 * @description  Samples of allocations, at most 50 a second, or two in the time that `--sample-every` says. The sum
 *               of the weights estimates the bytes that were allocated.
 * @source       the event stream
 * @events       jdk.ObjectAllocationSample
 * @settings     throttle 50/s, stackTrace true
 * @fields       at_ns startTime, thread_id eventThread, stack_id stack:stackTrace, class_name
 *               objectClass.name, weight_bytes weight
 * @binned       by thread_id, stack_id, class_name; sum weight_bytes
 */
CREATE TABLE allocation_sample (
    at_ns         BIGINT NOT NULL,                              -- when it was, since 1970 [ns]
    thread_id     INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that did it; null: no thread of the VM
    stack_id      INTEGER,                                      -- stack, as in `stack_frame`; null: the stream has no stack
    class_name    VARCHAR,                                      -- class or array type of the object; null: the stream does not say
    weight_bytes  BIGINT NOT NULL                               -- bytes that the sample stands for [byte]
);
