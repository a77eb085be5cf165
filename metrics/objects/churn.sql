/**
 * @id           objects.churn
 * @name         Churn distance
 * @description  Distribution of the calls between the context that allocated an object and the one
 *               where it died: up to the closest context above both, and down. Small distances mean
 *               that objects are temporary near the place of their allocation. Objects that died in
 *               another thread have no distance; those that were alive when the VM ended are left
 *               out.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       place          text             near, or elsewhere: in another thread
 * @column       distance       integer          calls up and down; null: elsewhere
 * @column       n_objects      integer  object  objects that died at such a distance
 * @column       objects_share  number   1       share of all objects that died
 * @sums         n_objects
 * @shares       objects_share
 * @plot         bar distance n_objects
 * @better       none
 * @requires     object_churn
 * @import       stats
 * @source       METRICS objects.churn; Sarimbekov et al. 2013, Table 1 and Figure 1; Sewe et al. 2012
 * @tags         objects churn paper
 */
WITH counted AS (
    SELECT CASE WHEN distance IS NULL THEN 'elsewhere' ELSE 'near' END AS place,
           distance,
           SUM(n_objects)::BIGINT AS n_objects
    FROM object_churn
    GROUP BY ALL
)
SELECT place,
       distance,
       n_objects,
       stats.share(n_objects, SUM(n_objects) OVER ()) AS objects_share
FROM counted
ORDER BY place DESC, distance
