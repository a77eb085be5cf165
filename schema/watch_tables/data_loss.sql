/**
 * @table        data_loss
 * @description  One row per time that the VM dropped events since its buffers were full.
 * @source       the event stream
 * @events       jdk.DataLoss
 * @fields       at_ns startTime, lost_bytes amount, total_bytes total
 * @binned       sum lost_bytes
 */
CREATE TABLE data_loss (
    at_ns        BIGINT NOT NULL,  -- when it was, since 1970 [ns]
    lost_bytes   BIGINT NOT NULL,  -- bytes that were dropped [byte]
    total_bytes  BIGINT NOT NULL   -- bytes that were dropped since the VM started [byte]
);
