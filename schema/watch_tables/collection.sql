/**
 * @table        collection
 * @description  One row per garbage collection.
 * @source       the event stream
 * @events       jdk.GarbageCollection
 * @settings     threshold 0 ns
 * @fields       start_ns startTime, duration_ns duration, collection_id gcId, name name, cause cause,
 *               pauses_ns sumOfPauses, longest_pause_ns longestPause
 * @binned       by name, cause; sum duration_ns, pauses_ns
 */
CREATE TABLE collection (
    start_ns          BIGINT NOT NULL,   -- when it began, since 1970 [ns]
    duration_ns       BIGINT NOT NULL,   -- how long it took [ns]
    collection_id     INTEGER NOT NULL,  -- number of the collection in its VM
    name              VARCHAR,           -- collector; null: the stream does not say
    cause             VARCHAR,           -- why it was started; null: the stream does not say
    pauses_ns         BIGINT NOT NULL,   -- sum of the pauses that it made [ns]
    longest_pause_ns  BIGINT NOT NULL    -- longest of them [ns]
);
