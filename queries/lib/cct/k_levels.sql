/**
 * @description How many different paths of 0 to k calls lead to methods: the sizes of the levels of
 *              cct.k_forest(k), without its paths, and so faster.
 * @param       k  integer  calls in the longest paths; null: no limit
 * @column      depth    integer        calls in the paths
 * @column      n_paths  integer  path  different paths
 */
CREATE MACRO cct.k_levels(k) AS TABLE
    WITH counted AS (
        SELECT LIST(context_id) AS context_ids
        FROM context
    ),
    level AS (
        SELECT _k_levels(k, context_ids) AS counts
        FROM counted
    )
    SELECT UNNEST(range(length(counts))) AS depth,
           UNNEST(counts) AS n_paths
    FROM level
