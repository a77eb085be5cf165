/**
 * @table        process_usage
 * @description  What the process of the VM has used since it started, once a second.
 * @source       the operating system, /proc/PID/stat
 * @binned       here last
 */
CREATE TABLE process_usage (
    at_ns           BIGINT NOT NULL,  -- when it was, since 1970 [ns]
    user_ns         BIGINT NOT NULL,  -- processor time in user mode [ns]
    system_ns       BIGINT NOT NULL,  -- processor time in the kernel [ns]
    n_minor_faults  BIGINT NOT NULL,  -- page faults without input or output
    n_major_faults  BIGINT NOT NULL,  -- page faults that waited for input or output
    io_wait_ns      BIGINT,           -- time waiting for block devices; null: the kernel does not count it [ns]
    resident_bytes  BIGINT NOT NULL,  -- memory that it has in use [byte]
    n_threads       INTEGER NOT NULL  -- threads, those of the VM included
);
