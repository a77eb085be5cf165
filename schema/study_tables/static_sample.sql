/**
 * @table        static_sample
 * @description  One row per outermost invocation of an eligible method that a cyclic buffer still held at
 *               the end of a reading, and that lies in the reading.
 * @order        reading_id, method_id, thread_id, entry_ns
 */
CREATE TABLE static_sample (
    reading_id  INTEGER NOT NULL REFERENCES reading (reading_id),     -- reading
    method_id   INTEGER NOT NULL REFERENCES study_method (method_id), -- method
    thread_id   BIGINT NOT NULL,                                      -- number of the Java thread, as Thread.getId has it
    entry_ns    BIGINT NOT NULL,                                      -- when the invocation began, CLOCK_MONOTONIC [ns]
    exit_ns     BIGINT NOT NULL                                       -- when it ended [ns]
);
