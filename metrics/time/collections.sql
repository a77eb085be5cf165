/**
 * @id           time.collections
 * @name         Time in collections
 * @description  Garbage collections between the second and the last reading of the process in a
 *               watch, and the time for which they stopped the program: until the second one, the
 *               VM did not tell of every collection. It depends on the heap that the VM has. Of a
 *               watch so long that older collections are in bins, there are no values.
 * @kind         table
 * @version      3
 * @grain        run
 * @column       elapsed_ns     integer  ns            time between the readings
 * @column       n_collections  integer  collection    collections
 * @column       pauses_ns      integer  ns            time in their pauses
 * @column       pause_share    number   1             share of the time elapsed
 * @column       longest_ns     number   ns            longest pause
 * @column       rate           number   collection/s  collections a second
 * @sums         elapsed_ns n_collections pauses_ns
 * @shares       pause_share
 * @levels       longest_ns rate
 * @better       none
 * @requires     watch.process_usage, watch.collection
 * @source       DaCapo Chopin GCC and GCP, which have twice the least heap
 * @tags         time watch collections dacapo
 */
WITH span AS (
    SELECT MIN(at_ns) AS first_ns, MAX(at_ns) AS last_ns
    FROM process_usage
    WHERE at_ns > (SELECT MIN(at_ns) FROM process_usage)
),
counted AS (
    SELECT COUNT(*) AS n_collections,
           COALESCE(SUM(pauses_ns), 0)::BIGINT AS pauses_ns,
           MAX(longest_pause_ns) AS longest_ns
    FROM collection, span
    WHERE start_ns >= first_ns AND start_ns + duration_ns <= last_ns
),
binned AS (
    SELECT COUNT(*) > 0 AS are_some
    FROM collection_bin
),
known AS (
    SELECT *, NOT are_some AND last_ns > first_ns AS are_known
    FROM span, counted, binned
)
SELECT NULLIF(last_ns - first_ns, 0)::BIGINT AS elapsed_ns,
       CASE WHEN are_known THEN n_collections END AS n_collections,
       CASE WHEN are_known THEN pauses_ns END AS pauses_ns,
       CASE WHEN are_known THEN pauses_ns / (last_ns - first_ns)::DOUBLE END AS pause_share,
       CASE WHEN are_known THEN longest_ns END AS longest_ns,
       CASE WHEN are_known THEN n_collections / ((last_ns - first_ns) / 1e9) END AS rate,
       CASE
           WHEN are_some THEN 'older collections are in bins, the table collection_bin'
           WHEN first_ns = last_ns OR first_ns IS NULL THEN 'the process was not read three times'
           ELSE 'there was no collection'
       END AS reason
FROM known
