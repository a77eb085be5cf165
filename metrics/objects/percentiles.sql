/**
 * @id           objects.percentiles
 * @name         Percentiles of object sizes
 * @description  The size in bytes with header that at least 10, 50 and 90 percent of the allocated
 *               objects, arrays among them, do not exceed: the smallest such size (nearest rank).
 *               Objects of unknown size, as those of Class, are left out; allocations.run counts
 *               them.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       percentile  number         percent of the objects: 10, 50 or 90
 * @column       size        integer  byte  size that these do not exceed
 * @fixed        percentile
 * @levels       size
 * @better       none
 * @requires     allocation
 * @source       METRICS objects.size; DaCapo Chopin AOS, AOM and AOL, the percentiles 10, 50 and 90
 * @tags         objects allocations dacapo
 */
WITH sized AS (
    SELECT size_bytes, SUM(n_objects)::BIGINT AS n_objects
    FROM allocation
    WHERE size_bytes IS NOT NULL
    GROUP BY size_bytes
),
ranked AS (
    SELECT size_bytes,
           SUM(n_objects) OVER (ORDER BY size_bytes ROWS UNBOUNDED PRECEDING) AS n_upto,
           SUM(n_objects) OVER () AS n_all
    FROM sized
)
SELECT p.percentile::DOUBLE AS percentile, MIN(ranked.size_bytes)::BIGINT AS size
FROM (VALUES (10), (50), (90)) AS p (percentile)
JOIN ranked ON 100 * ranked.n_upto >= p.percentile * ranked.n_all
GROUP BY p.percentile
ORDER BY p.percentile
