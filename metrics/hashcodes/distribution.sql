/**
 * @id           hashcodes.distribution
 * @name         Objects by calls for their hash codes
 * @description  Distribution of the objects that were asked for their hash codes over the number of
 *               calls, for each kind of hashcodes.calls. The bins are 1, 2, 3 to 4, 5 to 8 and so
 *               on, named by their largest number; the last one, without a number, is of more than
 *               1,048,576 calls. Objects that nobody asked are in none; hashcodes.unasked counts
 *               them, if allocations were recorded, too. A scope selects objects by their class, not
 *               by who asks: a String that the application asks is of the JDK, so the scope
 *               application leaves it out.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       kind           text             overridden, identity or default
 * @column       calls          integer          largest number of calls of the bin
 * @column       n_objects      integer  object  objects with so many
 * @column       objects_share  number   1       share of the objects of the kind
 * @sums         n_objects within kind
 * @shares       objects_share
 * @plot         bar calls n_objects kind
 * @better       none
 * @requires     hash_calls
 * @import       stats
 * @source       METRICS hashcodes; Sarimbekov et al. 2013, section 2.2.2
 * @tags         hashcodes objects paper
 */
WITH binned AS (
    SELECT kind::VARCHAR AS kind, max_calls AS calls, SUM(n_objects)::BIGINT AS n_objects
    FROM hash_calls
    GROUP BY ALL
)
SELECT kind,
       calls,
       n_objects,
       stats.share(n_objects, SUM(n_objects) OVER (PARTITION BY kind)) AS objects_share
FROM binned
ORDER BY kind, calls NULLS LAST
