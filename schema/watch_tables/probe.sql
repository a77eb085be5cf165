/**
 * @table        probe
 * @description  One row per probe, as `--probe` has it.
 * @source       the agent of probes
 */
CREATE TABLE probe (
    probe_id        INTEGER PRIMARY KEY,  -- number in this watch run
    text            VARCHAR NOT NULL,     -- methods and condition
    is_conditional  BOOLEAN NOT NULL      -- whether it has a condition
);
