/**
 * @id           recursion.methods
 * @name         Recursive methods
 * @description  Distinct methods called; recursive methods, which were called while an activation
 *               of them was on the stack; and directly recursive methods, which called themselves.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_methods                 integer  method  distinct methods called
 * @column       n_recursive               integer  method  recursive methods
 * @column       recursive_share           number   1       share of recursive methods
 * @column       n_directly_recursive      integer  method  methods that called themselves
 * @column       directly_recursive_share  number   1       share of directly recursive methods
 * @shares       recursive_share directly_recursive_share
 * @levels       n_methods n_recursive n_directly_recursive
 * @overview     140 recursive_share methods that were called while on the stack
 * @better       none
 * @requires     context, unfolded
 * @import       stats
 * @source       Sarimbekov et al. 2013, section 2.2.3: recursion
 * @tags         recursion calls paper
 */
WITH called AS (
    SELECT method_id,
           BOOL_OR(ancestor_id = parent_id) AS is_direct,
           BOOL_OR(ancestor_id IS NOT NULL) AS is_recursive
    FROM call
    WHERE n_calls > 0
    GROUP BY method_id
)
SELECT COUNT(*) AS n_methods,
       COUNT(*) FILTER (WHERE is_recursive) AS n_recursive,
       stats.share(COUNT(*) FILTER (WHERE is_recursive), COUNT(*)) AS recursive_share,
       COUNT(*) FILTER (WHERE is_direct) AS n_directly_recursive,
       stats.share(COUNT(*) FILTER (WHERE is_direct), COUNT(*)) AS directly_recursive_share
FROM called
