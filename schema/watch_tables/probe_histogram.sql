/**
 * @table        probe_histogram
 * @description  The same invocations by their duration. A bucket is at most an eighth of its least
 *               duration wide.
 * @source       the agent of probes
 * @binned       here by probe_method_id, probe_caller_id, is_exceptional, low_ns, high_ns; sum n_calls;
 *               max end_ns
 */
CREATE TABLE probe_histogram (
    end_ns           BIGINT NOT NULL,                                            -- when the interval ended, since 1970 [ns]
    probe_method_id  INTEGER NOT NULL REFERENCES probe_method (probe_method_id),  -- method and probe
    probe_caller_id  INTEGER REFERENCES probe_caller (probe_caller_id),          -- caller; null: as in `probe_time`
    is_exceptional   BOOLEAN NOT NULL,                                           -- whether they ended by an exception
    low_ns           BIGINT NOT NULL,                                            -- least duration of the bucket [ns]
    high_ns          BIGINT NOT NULL,                                            -- least duration of the next one [ns]
    n_calls          BIGINT NOT NULL                                             -- invocations that ended in the interval
);
