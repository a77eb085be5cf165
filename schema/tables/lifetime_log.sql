/**
 * @table        lifetime_log
 * @description  What following objects took on the disk while the program ran: one row. The log is
 *               packed as it is written; beside it each object has eight bytes for when it was
 *               last reachable from a root, and each object whose hash code was asked for four.
 * @recorded     --probes lifetimes
 * @order        n_objects
 * @element      lifetimeLog
 * @within       classes 19
 * @measured     yes
 */
CREATE TABLE lifetime_log (
    n_objects   BIGINT NOT NULL,  -- objects that were followed, with those whose allocation was not seen [object]
    n_records   BIGINT NOT NULL,  -- records of the log: objects made, and references stored [record]
    log_bytes   BIGINT NOT NULL,  -- size of the log [byte]
    disk_bytes  BIGINT NOT NULL   -- what the file took on the disk, all in all; it is removed with the end of the recording [byte]
);
