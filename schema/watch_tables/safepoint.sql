/**
 * @table        safepoint
 * @description  One row per part of a safepoint: its beginning, the wait until all threads have stopped,
 *               its end.
 * @source       the event stream
 * @events       jdk.SafepointBegin, jdk.SafepointStateSynchronization, jdk.SafepointEnd
 * @settings     threshold 0 ns
 * @fields       start_ns startTime, duration_ns duration, safepoint_id safepointId, part $event
 * @binned       by part; sum duration_ns
 */
CREATE TABLE safepoint (
    start_ns      BIGINT NOT NULL,  -- when it began, since 1970 [ns]
    duration_ns   BIGINT NOT NULL,  -- how long it took [ns]
    safepoint_id  BIGINT NOT NULL,  -- number of the safepoint in its VM
    part          VARCHAR NOT NULL  -- `SafepointBegin`, `SafepointStateSynchronization` or `SafepointEnd`
);
