/**
 * @id           allocations.types
 * @name         Objects and bytes allocated, by type
 * @description  For each class of objects and type of arrays: the objects that the program
 *               allocated, and their bytes with headers. Classes of the same name count together.
 *               Objects of unknown size, as those of Class, have no bytes.
 * @kind         metric
 * @version      1
 * @grain        class
 * @column       type           text             class in JVM form, or descriptor of the array
 * @column       n_objects      integer  object  objects allocated
 * @column       objects_share  number   1       share of all objects
 * @column       n_bytes        integer  byte    bytes of these objects
 * @column       bytes_share    number   1       share of all bytes
 * @sums         n_objects n_bytes
 * @shares       objects_share bytes_share
 * @sort         n_bytes
 * @plot         bar type n_bytes
 * @better       none
 * @requires     allocation
 * @import       stats
 * @source       METRICS allocations
 * @tags         allocations objects
 */
WITH typed AS (
    SELECT type,
           SUM(n_objects)::BIGINT AS n_objects,
           COALESCE(SUM(n_objects * size_bytes), 0)::BIGINT AS n_bytes
    FROM allocation
    GROUP BY type
)
SELECT type,
       n_objects,
       stats.share(n_objects, SUM(n_objects) OVER ()) AS objects_share,
       n_bytes,
       stats.share(n_bytes, SUM(n_bytes) OVER ()) AS bytes_share
FROM typed
ORDER BY type
