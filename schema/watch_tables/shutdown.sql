/**
 * @table        shutdown
 * @description  One row when the VM says that it ends; none if it is killed or halts.
 * @source       the event stream
 * @events       jdk.Shutdown
 * @fields       at_ns startTime, thread_id eventThread, stack_id stack:stackTrace, reason reason
 */
CREATE TABLE shutdown (
    at_ns      BIGINT NOT NULL,                              -- when it was, since 1970 [ns]
    thread_id  INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that ended it; null: the stream does not say
    stack_id   INTEGER,                                      -- stack, as in `stack_frame`; null: no Java code asked for it
    reason     VARCHAR                                       -- why, in the words of the VM; null: the stream does not say
);
