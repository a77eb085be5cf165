/**
 * @id           recursion.depth
 * @name         Recursion depth
 * @description  Distribution of the recursion depth of all calls: how many activations of the
 *               called method are on the stack, including the new one. The bins double (1, which is
 *               not recursive, 2, 3-4, 5-8, …) and are named by their largest depth.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       n_activations  integer        largest depth of the bin
 * @column       n_calls        integer  call  calls with such a depth
 * @column       share          number   1     share of all calls
 * @sums         n_calls
 * @shares       share
 * @plot         bar n_activations share
 * @better       none
 * @requires     context, unfolded
 * @import       recursion
 * @import       stats
 * @source       Sarimbekov et al. 2013, Table 1 and section 2.2.3: recursion depth
 * @tags         recursion stack calls paper
 */
WITH called AS (
    SELECT COALESCE(nested.n_activations, 1) AS n_activations, SUM(call.n_calls) AS n_calls
    FROM call
    LEFT JOIN recursion.activations() AS nested ON nested.context_id = call.context_id
    GROUP BY ALL
)
SELECT stats.doubling_bin(n_activations) AS n_activations,
       SUM(n_calls)::BIGINT AS n_calls,
       stats.share(SUM(n_calls), SUM(SUM(n_calls)) OVER ()) AS share
FROM called
GROUP BY stats.doubling_bin(n_activations)
HAVING SUM(n_calls) > 0
ORDER BY n_activations
