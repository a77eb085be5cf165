/**
 * @id           contexts.shape
 * @name         Shape of the calling context tree
 * @description  Nodes of the calling context trees, leaves, depth, degree, and contexts for each
 *               method. The depth of a context is the number of frames on the stack while it runs;
 *               its degree is the number of contexts called from it. The roots of threads are not
 *               contexts.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_contexts           integer  context  calling contexts
 * @column       n_leaves             integer  context  of these, that called nothing
 * @column       leaves_share         number   1        these as a share
 * @column       mean_depth           number   frame    depth, the mean over all contexts
 * @column       max_depth            integer  frame    the greatest depth
 * @column       mean_degree          number   context  degree, the mean over those that called
 * @column       max_degree           integer  context  the greatest degree
 * @column       n_methods            integer  method   distinct methods that they are contexts of
 * @column       contexts_per_method  number   context  contexts divided by methods
 * @better       none
 * @requires     context, unfolded
 * @import       contexts
 * @import       stats
 * @source       METRICS contexts.shape
 * @tags         contexts paper
 */
WITH shape AS (
    SELECT COUNT(*) AS n_contexts,
           COUNT(DISTINCT method_id) AS n_methods,
           COUNT(*) FILTER (WHERE degree = 0) AS n_leaves,
           MAX(depth) AS max_depth,
           SUM(depth) AS depths,
           MAX(degree) AS max_degree,
           SUM(degree) AS degrees
    FROM contexts.shaped()
)
SELECT n_contexts,
       n_leaves,
       stats.share(n_leaves, n_contexts) AS leaves_share,
       stats.share(depths, n_contexts) AS mean_depth,
       max_depth,
       stats.share(degrees, n_contexts - n_leaves) AS mean_degree,
       max_degree,
       n_methods,
       stats.share(n_contexts, n_methods) AS contexts_per_method
FROM shape
