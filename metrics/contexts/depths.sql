/**
 * @id           contexts.depths
 * @name         Depths of calling contexts
 * @description  Distribution of the depth of calling contexts, that is, the number of frames on the
 *               stack, including the context's own. The bins double (1, 2, 3-4, 5-8, …) and are
 *               named by their largest depth.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       depth       integer           largest depth of the bin
 * @column       n_contexts  integer  context  contexts in the bin
 * @column       share       number   1        share of all contexts
 * @sums         n_contexts
 * @shares       share
 * @plot         bar depth share
 * @better       none
 * @requires     context, unfolded
 * @import       contexts
 * @import       stats
 * @source       METRICS contexts.shape
 * @tags         contexts paper
 */
SELECT stats.doubling_bin(depth) AS depth,
       COUNT(*) AS n_contexts,
       stats.share(COUNT(*), SUM(COUNT(*)) OVER ()) AS share
FROM contexts.shaped()
GROUP BY stats.doubling_bin(depth)
ORDER BY depth
