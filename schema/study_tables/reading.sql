/**
 * @table        reading
 * @description  One row per span in which the static samples and the processor time were read, after a
 *               forced collection: step S3, S6, S8 or S10.
 * @order        reading_id
 */
CREATE TABLE reading (
    reading_id   INTEGER PRIMARY KEY,                               -- number of the reading, from 0
    restart_id   INTEGER NOT NULL REFERENCES restart (restart_id),  -- launch
    cycle_id     INTEGER REFERENCES cycle (cycle_id),               -- cycle; null: step S3 or S10
    step         VARCHAR NOT NULL,                                  -- S3, S6, S8 or S10
    started_ns   BIGINT NOT NULL,                                   -- when it began, CLOCK_MONOTONIC [ns]
    ended_ns     BIGINT NOT NULL,                                   -- when it ended, CLOCK_MONOTONIC [ns]
    utilization  DOUBLE                                             -- share of all processors that the VM's process used, from 0 to 1, over the first part of the span; null: it could not be read
);
