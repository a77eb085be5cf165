/**
 * @id           objects.size
 * @name         Object sizes
 * @description  Distribution of the sizes of allocated objects in bytes with header, as the VM makes
 *               them without the recording; arrays apart. The bins are each multiple of 8 up to 64,
 *               then double, and are named by their largest size. Objects of unknown size, as those
 *               of Class, are left out; allocations.run counts them.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       kind           text             array, or instance: any other object
 * @column       size           integer          largest size of the bin, in bytes
 * @column       n_objects      integer  object  objects of such a size
 * @column       objects_share  number   1       share of all objects of the kind
 * @column       n_bytes        integer  byte    bytes of these objects
 * @column       bytes_share    number   1       share of all bytes of the kind
 * @sums         n_objects n_bytes
 * @shares       objects_share bytes_share
 * @plot         bar size n_objects kind
 * @better       none
 * @requires     allocation
 * @import       stats
 * @source       METRICS objects.size; Sarimbekov et al. 2013, Table 1; Dufour et al. 2003 (*J)
 *               memory.objectSize, whose bins are of words and without the header
 * @tags         objects allocations paper starj
 */
WITH binned AS (
    SELECT CASE WHEN type[1] = '[' THEN 'array' ELSE 'instance' END AS kind,
           CASE WHEN size_bytes <= 64 THEN (size_bytes + 7) // 8 * 8
                ELSE stats.doubling_bin(size_bytes) END AS size,
           SUM(n_objects)::BIGINT AS n_objects,
           SUM(n_objects * size_bytes)::BIGINT AS n_bytes
    FROM allocation
    WHERE size_bytes IS NOT NULL
    GROUP BY ALL
)
SELECT kind,
       size,
       n_objects,
       stats.share(n_objects, SUM(n_objects) OVER (PARTITION BY kind)) AS objects_share,
       n_bytes,
       stats.share(n_bytes, SUM(n_bytes) OVER (PARTITION BY kind)) AS bytes_share
FROM binned
ORDER BY kind, size
