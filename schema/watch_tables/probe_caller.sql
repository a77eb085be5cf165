/**
 * @table        probe_caller
 * @description  One row per method that called one with a probe.
 * @source       the agent of probes
 */
CREATE TABLE probe_caller (
    probe_caller_id  INTEGER PRIMARY KEY,  -- number in this watch run
    class_name       VARCHAR,              -- class in JVM form; null: all callers of a method beyond its first 1,000
    name             VARCHAR NOT NULL      -- name
);
