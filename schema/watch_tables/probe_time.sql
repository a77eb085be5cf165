/**
 * @table        probe_time
 * @description  Invocations of methods with probes that ended in one flush interval, about a second. Of a
 *               recursion only the outermost one counts.
 * @source       the agent of probes
 * @binned       here by probe_method_id, probe_caller_id, is_exceptional; sum n_calls, n_samples,
 *               total_ns; min start_ns, least_ns; max end_ns, most_ns
 */
CREATE TABLE probe_time (
    start_ns         BIGINT NOT NULL,                                            -- when the interval began, since 1970 [ns]
    end_ns           BIGINT NOT NULL,                                            -- when it ended [ns]
    probe_method_id  INTEGER NOT NULL REFERENCES probe_method (probe_method_id),  -- method and probe
    probe_caller_id  INTEGER REFERENCES probe_caller (probe_caller_id),          -- caller; null: `--callers` was not given, or it is the first method of its thread
    is_exceptional   BOOLEAN NOT NULL,                                           -- whether they ended by an exception
    n_calls          BIGINT NOT NULL,                                            -- invocations that ended in the interval
    n_samples        BIGINT,                                                     -- of these, how many are in `probe_sample`; null: `--samples` was not given
    total_ns         BIGINT NOT NULL,                                            -- sum of their durations [ns]
    least_ns         BIGINT NOT NULL,                                            -- shortest one since the probe was put in [ns]
    most_ns          BIGINT NOT NULL                                             -- longest one since then [ns]
);
