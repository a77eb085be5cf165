/**
 * @table        collection_phase
 * @description  One row per phase of a garbage collection. Phases that pause the program have levels; a
 *               phase lies within one of the level above.
 * @source       the event stream
 * @events       jdk.GCPhasePause, jdk.GCPhasePauseLevel1, jdk.GCPhasePauseLevel2,
 *               jdk.GCPhasePauseLevel3, jdk.GCPhasePauseLevel4, jdk.GCPhaseConcurrent,
 *               jdk.GCPhaseConcurrentLevel1, jdk.GCPhaseConcurrentLevel2
 * @settings     threshold 0 ns
 * @fields       start_ns startTime, duration_ns duration, collection_id gcId, thread_id eventThread,
 *               level $event, name name
 * @binned       by thread_id, level, name; sum duration_ns
 */
CREATE TABLE collection_phase (
    start_ns       BIGINT NOT NULL,                              -- when it began, since 1970 [ns]
    duration_ns    BIGINT NOT NULL,                              -- how long it took [ns]
    collection_id  INTEGER NOT NULL,                             -- number of the collection in its VM
    thread_id      INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that did it; null: no thread of the VM
    level          VARCHAR NOT NULL,                             -- kind and level, as `GCPhasePauseLevel1`
    name           VARCHAR                                       -- phase; null: the stream does not say
);
