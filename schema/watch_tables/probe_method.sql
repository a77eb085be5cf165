/**
 * @table        probe_method
 * @description  One row per method that a probe was put into. A method of a class that several class
 *               loaders have has a row for each.
 * @source       the agent of probes
 */
CREATE TABLE probe_method (
    probe_method_id  INTEGER PRIMARY KEY,                          -- number in this watch run
    probe_id         INTEGER NOT NULL REFERENCES probe (probe_id),  -- probe
    at_ns            BIGINT NOT NULL,                              -- when it was put in, since 1970 [ns]
    class_name       VARCHAR NOT NULL,                             -- class in JVM form
    name             VARCHAR NOT NULL,                             -- name
    descriptor       VARCHAR NOT NULL,                             -- descriptor
    defining_loader  VARCHAR,                                      -- class of the loader that defined the class; null: the boot loader
    code_bytes       INTEGER NOT NULL,                             -- size of its code without the probe [byte]
    first_line       INTEGER,                                      -- smallest source line; null: no line numbers
    last_line        INTEGER                                       -- largest source line; null: no line numbers
);
