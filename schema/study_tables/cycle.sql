/**
 * @table        cycle
 * @description  One row per method that was observed, steps S4 to S8. The dynamic probe was in the method
 *               from the end of its insertion until its removal began.
 * @order        cycle_id
 */
CREATE TABLE cycle (
    cycle_id            INTEGER PRIMARY KEY,                               -- number of the cycle, from 0
    restart_id          INTEGER NOT NULL REFERENCES restart (restart_id),  -- launch
    method_id           INTEGER NOT NULL REFERENCES study_method (method_id), -- observed method
    inserted_ns         BIGINT NOT NULL,                                   -- when the insertion began, CLOCK_MONOTONIC [ns]
    insertion_quiet_ns  BIGINT,                                            -- from there to the end of the last compilation before the quiet span, 0 if there was none; null: the time-out was over first, or no probe could be put in [ns]
    removed_ns          BIGINT NOT NULL,                                   -- when the removal began, CLOCK_MONOTONIC [ns]
    removal_quiet_ns    BIGINT,                                            -- as for the insertion; null: the time-out was over first, or no probe could be put in [ns]
    reason              VARCHAR                                            -- why a value is missing; null: none is
);
