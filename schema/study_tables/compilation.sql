/**
 * @table        compilation
 * @description  One row per successful compilation in the VM, from the event stream.
 * @order        restart_id, at_ns
 */
CREATE TABLE compilation (
    restart_id  INTEGER NOT NULL REFERENCES restart (restart_id),  -- launch
    at_ns       BIGINT NOT NULL,                                   -- when it ended, on the clock of the event stream set to CLOCK_MONOTONIC [ns]
    class_name  VARCHAR,                                           -- class; null: the stream does not say
    name        VARCHAR,                                           -- name of the method; null: the stream does not say
    descriptor  VARCHAR,                                           -- its descriptor; null: the stream does not say
    tier        INTEGER NOT NULL                                   -- level of the compiled code, from 1 to 4
);
