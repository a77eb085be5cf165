/**
 * @description How many activations of its method are on the stack while a context runs, its own
 *              included, for the contexts of methods that recur anywhere in the run; all others
 *              have one. By running sums within each method in the order of the keys: one more
 *              where a subtree begins, one less where it ends.
 * @column      context_id     integer              context of a method that recurs
 * @column      n_activations  integer  activation  activations of the method, this one included
 */
CREATE MACRO recursion.activations() AS TABLE
    WITH recurring AS (
        SELECT DISTINCT method_id FROM run.context WHERE ancestor_id IS NOT NULL
    ),
    node AS (
        SELECT c.context_id, c.method_id, c.context_id + c.size AS end_id
        FROM run.context AS c
        SEMI JOIN recurring USING (method_id)
    ),
    event AS (
        SELECT method_id, context_id AS place, context_id, 1 AS change FROM node
        UNION ALL
        SELECT method_id, end_id AS place, NULL AS context_id, -1 AS change FROM node
    ),
    counted AS (
        SELECT context_id,
               SUM(change) OVER (
                   PARTITION BY method_id ORDER BY place, change ROWS UNBOUNDED PRECEDING
               ) AS n_activations
        FROM event
    )
    SELECT context_id, n_activations::BIGINT AS n_activations
    FROM counted
    WHERE context_id IS NOT NULL
