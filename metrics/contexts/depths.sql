/**
 * @id           contexts.depths
 * @name         Depths of calling contexts
 * @description  Distribution of the depth of calling contexts: the frames on the stack while one
 *               runs, its own included, in bins that double: 1, 2, 3-4, 5-8, named by their
 *               largest depth.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       depth       integer           largest depth of the bin
 * @column       n_contexts  integer  context  contexts in the bin
 * @column       share       number   1        of all contexts
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
