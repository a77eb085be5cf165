/**
 * @table        dynamic_sample
 * @description  One row per outermost invocation of the observed method that its dynamic probe measured,
 *               step S5, where the watcher did not have to leave it out.
 * @order        cycle_id, thread_id, entry_ns
 */
CREATE TABLE dynamic_sample (
    cycle_id   INTEGER NOT NULL REFERENCES cycle (cycle_id),  -- cycle
    thread_id  BIGINT NOT NULL,                               -- number of the Java thread, as Thread.getId has it
    entry_ns   BIGINT NOT NULL,                               -- when the invocation began, CLOCK_MONOTONIC [ns]
    exit_ns    BIGINT NOT NULL                                -- when it ended [ns]
);
