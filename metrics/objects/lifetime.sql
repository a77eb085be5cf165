/**
 * @id           objects.lifetime
 * @name         Object lifetimes
 * @description  Distribution of the lifetimes of objects: bytes that the program allocated between
 *               the birth of an object and its death, when it could no longer be reached. The bins
 *               are at most a number of bytes (1 MiB), twice as many, and so on, and are named by
 *               their largest lifetime; objects that were alive when the VM ended are apart.
 *               Objects whose allocation was not seen are left out.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @param        first integer 1048576 largest lifetime of the first bin, in bytes; exact up to eight binary digits and zeros
 * @range        first [1, )
 * @column       fate            text             died, or alive: when the VM ended
 * @column       lifetime_bytes  integer          largest lifetime of the bin, in bytes; null: alive
 * @column       n_objects       integer  object  objects of such a lifetime
 * @column       objects_share   number   1       share of all objects
 * @sums         n_objects
 * @shares       objects_share
 * @plot         bar lifetime_bytes n_objects
 * @better       none
 * @requires     object_lifetime
 * @import       stats
 * @source       METRICS objects.lifetime; Sarimbekov et al. 2013, Table 1; Hertz et al. 2002
 * @tags         objects lifetimes paper
 */
WITH binned AS (
    SELECT CASE WHEN lifetime_bytes IS NULL THEN 'alive' ELSE 'died' END AS fate,
           $first * GREATEST(1, stats.doubling_bin((lifetime_bytes + $first - 1) // $first))
               AS lifetime_bytes,
           SUM(n_objects)::BIGINT AS n_objects
    FROM object_lifetime
    GROUP BY ALL
)
SELECT fate,
       CASE WHEN fate = 'died' THEN lifetime_bytes END::BIGINT AS lifetime_bytes,
       n_objects,
       stats.share(n_objects, SUM(n_objects) OVER ()) AS objects_share
FROM binned
ORDER BY fate DESC, lifetime_bytes
