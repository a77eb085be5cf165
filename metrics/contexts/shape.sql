/**
 * @id           contexts.shape
 * @name         Shape of the calling context tree
 * @description  Nodes of the calling context trees, leaves, depth, degree, and contexts per method.
 *               The depth of a context is the number of frames on the stack while it runs; its
 *               degree is the number of contexts that it calls. The roots of threads are not
 *               contexts. A recorded JVM has no class archive, so its start has more contexts than
 *               that of a bare JVM.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_contexts           integer  context  calling contexts
 * @column       n_leaves             integer  context  contexts that called nothing
 * @column       leaves_share         number   1        leaves as a share of all contexts
 * @column       mean_depth           number   frame    mean depth of all contexts
 * @column       max_depth            integer  frame    greatest depth
 * @column       mean_degree          number   context  mean degree of the contexts that called
 * @column       max_degree           integer  context  greatest degree
 * @column       n_methods            integer  method   distinct methods with a context
 * @column       contexts_per_method  number   context  contexts divided by methods
 * @sums         n_contexts n_leaves
 * @shares       leaves_share
 * @levels       mean_depth max_depth mean_degree max_degree n_methods contexts_per_method
 * @overview     30 n_contexts calling contexts
 * @overview     40 mean_depth depth of a calling context, on average
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
