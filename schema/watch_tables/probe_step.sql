/**
 * @table        probe_step
 * @description  One row per method that the search of `--refine-probes` put a probe into, or had no budget
 *               for, in the order of the search.
 * @source       jvmscope
 */
CREATE TABLE probe_step (
    start_ns       BIGINT NOT NULL,   -- when the probe was in, or would have been, since 1970 [ns]
    end_ns         BIGINT NOT NULL,   -- until when it counted [ns]
    depth          INTEGER NOT NULL,  -- methods above it in the search; 0: the first of a thread
    class_name     VARCHAR NOT NULL,  -- class in JVM form
    name           VARCHAR NOT NULL,  -- name; all methods of the name get the probe
    caller         VARCHAR,           -- method above it in the search, as class.name; null: it is the first of a thread
    sampled_share  DOUBLE NOT NULL,   -- share of what the search follows, such as samples, on stacks with the method
    n_calls        BIGINT NOT NULL,   -- calls that ended while it had the probe
    total_ns       BIGINT NOT NULL,   -- time of these calls [ns]
    time_share     DOUBLE,            -- this time as a part of the time with the probe; null: no call ended
    outcome        VARCHAR NOT NULL   -- `matters`, `does not matter`, `no call ended`, `no probe` (`unseen` says why), `no budget` or `watch ended`
);
