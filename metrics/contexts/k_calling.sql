/**
 * @id           contexts.k_calling
 * @name         k-calling contexts
 * @description  The levels of the k-calling context forest: how many different paths of each length
 *               lead to methods, and how many calling contexts they stand for. A path is a method,
 *               its caller, the caller's caller, and so on, without call sites. Paths without calls
 *               are a profile of methods, and paths of one call a profile of callers and callees;
 *               longer paths come closer to the calling context tree. The macro cct.k_forest
 *               returns the paths themselves.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       n_path_calls       integer           calls in each path, from 0 to k
 * @column       n_paths            integer  path     different paths
 * @column       n_contexts         integer  context  contexts with at least that many callers
 * @column       contexts_per_path  number   1        contexts per path, on average
 * @sums         n_paths
 * @levels       n_contexts contexts_per_path
 * @better       none
 * @param        k integer 2 calls in the longest paths
 * @range        k [0, )
 * @requires     context, unfolded
 * @import       cct
 * @source       METRICS contexts.shape; Ausiello et al. 2012 (k-calling context profiling); Sarimbekov et al. 2013, section 3.2
 * @tags         contexts paper
 */
WITH level AS (
    SELECT depth, n_paths
    FROM cct.k_levels($k)
    WHERE n_paths > 0
),
stacked AS (
    SELECT depth - 1 AS n_callers, COUNT(*) AS n_contexts
    FROM context
    WHERE depth > 0
    GROUP BY depth
)
SELECT level.depth AS n_path_calls,
       level.n_paths,
       SUM(stacked.n_contexts)::BIGINT AS n_contexts,
       SUM(stacked.n_contexts)::DOUBLE / level.n_paths AS contexts_per_path
FROM level
JOIN stacked ON stacked.n_callers >= level.depth
GROUP BY level.depth, level.n_paths
ORDER BY n_path_calls
