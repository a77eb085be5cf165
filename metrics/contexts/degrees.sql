/**
 * @id           contexts.degrees
 * @name         Degrees of calling contexts
 * @description  Distribution of the degree of calling contexts, that is, how many contexts each one
 *               calls. The bins double (0, 1, 2, 3-4, 5-8, …) and are named by their largest
 *               degree.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       degree      integer           largest degree of the bin
 * @column       n_contexts  integer  context  contexts in the bin
 * @column       share       number   1        share of all contexts
 * @sums         n_contexts
 * @shares       share
 * @plot         bar degree share
 * @better       none
 * @requires     context, unfolded
 * @import       contexts
 * @import       stats
 * @source       METRICS contexts.shape
 * @tags         contexts paper
 */
SELECT stats.doubling_bin(degree) AS degree,
       COUNT(*) AS n_contexts,
       stats.share(COUNT(*), SUM(COUNT(*)) OVER ()) AS share
FROM contexts.shaped()
GROUP BY stats.doubling_bin(degree)
ORDER BY degree
