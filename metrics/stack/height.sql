/**
 * @id           stack.height
 * @name         Stack height upon calls
 * @description  Distribution of the stack height at calls, in frames and in slots (max_locals +
 *               max_stack of each frame's method), with the caller's frame and without the
 *               callee's. The bins double (0, 1, 2, 3-4, 5-8, …) and are named by their largest
 *               height. The populations: all calls; potentially recursive calls, which are
 *               dispatched dynamically (invokevirtual, invokeinterface) in a method that is among
 *               their possible targets, by the hierarchy of the loaded classes; truly recursive
 *               calls, whose callee is their caller, however dispatched; and calls whose callee is
 *               anywhere on the stack.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       population  text           all, or one of the populations described
 * @column       dimension   text           frames or slots
 * @column       height      integer        largest height of the bin
 * @column       n_calls     integer  call  calls with such a height
 * @column       share       number   1     share of the population's calls
 * @sums         n_calls within population dimension
 * @shares       share
 * @matrix       population share
 * @better       none
 * @requires     context, method, class, call_site, unfolded
 * @import       stack
 * @import       stats
 * @source       METRICS stack.height; Sarimbekov et al. 2013, Table 1 and section 2.2.3
 * @tags         stack recursion calls paper
 */
WITH calls AS MATERIALIZED (
    FROM stack.populations()
),
measured AS (
    SELECT population, rank, 'frames' AS dimension, n_frames AS height, n_calls FROM calls
    UNION ALL
    SELECT population, rank, 'slots' AS dimension, n_slots AS height, n_calls FROM calls
)
SELECT population,
       dimension,
       stats.doubling_bin(height) AS height,
       SUM(n_calls)::BIGINT AS n_calls,
       stats.share(
           SUM(n_calls), SUM(SUM(n_calls)) OVER (PARTITION BY population, dimension)
       ) AS share
FROM measured
GROUP BY population, rank, dimension, stats.doubling_bin(height)
HAVING SUM(n_calls) > 0
ORDER BY rank, dimension, height
