/**
 * @id           contexts.methods
 * @name         Contexts of each method
 * @description  Distribution of the number of calling contexts of each executed method. The bins
 *               double (1, 2, 3-4, 5-8, …) and are named by their largest number.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       n_contexts  integer          largest number of contexts in the bin
 * @column       n_methods   integer  method  methods in the bin
 * @column       share       number   1       share of all methods
 * @sums         n_methods
 * @shares       share
 * @better       none
 * @requires     context, unfolded
 * @import       contexts
 * @import       stats
 * @source       METRICS contexts.shape
 * @tags         contexts paper
 */
WITH counted AS (
    SELECT method_id, COUNT(*) AS n_contexts FROM contexts.shaped() GROUP BY method_id
)
SELECT stats.doubling_bin(n_contexts) AS n_contexts,
       COUNT(*) AS n_methods,
       stats.share(COUNT(*), SUM(COUNT(*)) OVER ()) AS share
FROM counted
GROUP BY stats.doubling_bin(n_contexts)
ORDER BY n_contexts
