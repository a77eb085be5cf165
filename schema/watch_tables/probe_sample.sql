/**
 * @table        probe_sample
 * @description  One row per measured invocation, with `--samples`. Those that found no room in the VM are
 *               missing: `n_calls - n_samples` of `probe_time`.
 * @source       the agent of probes
 * @binned       by probe_method_id, probe_caller_id, java_thread_id, is_exceptional; sum duration_ns
 */
CREATE TABLE probe_sample (
    start_ns         BIGINT NOT NULL,                                            -- when it began, since 1970 [ns]
    duration_ns      BIGINT NOT NULL,                                            -- how long it took [ns]
    probe_method_id  INTEGER NOT NULL REFERENCES probe_method (probe_method_id),  -- method and probe
    probe_caller_id  INTEGER REFERENCES probe_caller (probe_caller_id),          -- caller; null: as in `probe_time`
    java_thread_id   BIGINT,                                                     -- thread, as in `vm_thread`; null: its class has a `getId` of its own, and the VM is older than Java 19
    is_exceptional   BOOLEAN NOT NULL,                                           -- whether it ended by an exception
    entry_ns         BIGINT NOT NULL                                             -- when it began, by `System.nanoTime()`, which is CLOCK_MONOTONIC [ns]
);
