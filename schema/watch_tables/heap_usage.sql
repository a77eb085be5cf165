/**
 * @table        heap_usage
 * @description  How full the heap was before and after each garbage collection.
 * @source       the event stream
 * @events       jdk.GCHeapSummary
 * @fields       at_ns startTime, collection_id gcId, moment when, used_bytes heapUsed, committed_bytes
 *               heapSpace.committedSize
 * @binned       by moment; sum used_bytes, committed_bytes
 */
CREATE TABLE heap_usage (
    at_ns            BIGINT NOT NULL,   -- when it was, since 1970 [ns]
    collection_id    INTEGER NOT NULL,  -- number of the collection in its VM
    moment           VARCHAR,           -- `Before GC` or `After GC`; null: the stream does not say
    used_bytes       BIGINT NOT NULL,   -- bytes of the heap in use [byte]
    committed_bytes  BIGINT             -- bytes that the heap may use before it grows; null: the stream does not say [byte]
);
