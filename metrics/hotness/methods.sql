/**
 * @id           hotness.methods
 * @name         Hotness of methods
 * @description  Share of all method executions, and of all bytecodes executed, that falls on the
 *               hottest methods: the first ceil(cutoff * n) of the n distinct methods executed at
 *               least once, ranked by the weight whose share it is. Natives and methods that the
 *               VM replaces are methods, and execute no bytecodes. The Gini coefficient is that
 *               of the Lorenz curve over the same n methods: 0 when all are equally hot.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_methods         integer  method     distinct methods executed
 * @column       n_hot_methods     integer  method     of these the hottest, by the cutoff
 * @column       n_executions      integer  execution  method executions
 * @column       n_bytecodes       integer  bytecode   bytecodes executed
 * @column       executions_share  number   1          share of the executions on the hottest methods
 * @column       bytecodes_share   number   1          share of the bytecodes on the hottest methods
 * @column       executions_gini   number   1          Gini coefficient of the executions
 * @column       bytecodes_gini    number   1          Gini coefficient of the bytecodes
 * @better       none
 * @param        cutoff number 0.2 fraction of the methods that are the hottest
 * @requires     thread_method
 * @source       METRICS hotness.methods; the number of hottest methods is rounded up
 * @tags         hotness method
 */
WITH weight AS (
    SELECT method_id,
           SUM(n_calls)::BIGINT AS n_executions,
           SUM(n_bytecodes)::BIGINT AS n_bytecodes
    FROM thread_method
    GROUP BY method_id
    HAVING SUM(n_calls) > 0 OR SUM(n_bytecodes) > 0
),
ranked AS (
    SELECT n_executions,
           n_bytecodes,
           ROW_NUMBER() OVER (ORDER BY n_executions DESC, method_id) AS executions_rank,
           ROW_NUMBER() OVER (ORDER BY n_bytecodes DESC, method_id) AS bytecodes_rank,
           COUNT(*) OVER () AS n_methods,
           CEIL($cutoff::DECIMAL(9, 6) * COUNT(*) OVER ())::BIGINT AS n_hot
    FROM weight
),
total AS (
    SELECT COUNT(*) AS n_methods,
           COALESCE(MAX(n_hot), 0) AS n_hot_methods,
           COALESCE(SUM(n_executions), 0) AS n_executions,
           COALESCE(SUM(n_bytecodes), 0) AS n_bytecodes,
           SUM(n_executions) FILTER (WHERE executions_rank <= n_hot) AS hot_executions,
           SUM(n_bytecodes) FILTER (WHERE bytecodes_rank <= n_hot) AS hot_bytecodes,
           SUM(n_executions::HUGEINT * (n_methods + 1 - 2 * executions_rank)) AS executions_spread,
           SUM(n_bytecodes::HUGEINT * (n_methods + 1 - 2 * bytecodes_rank)) AS bytecodes_spread
    FROM ranked
)
SELECT n_methods,
       n_hot_methods,
       n_executions::BIGINT AS n_executions,
       n_bytecodes::BIGINT AS n_bytecodes,
       COALESCE(hot_executions, 0)::DOUBLE / NULLIF(n_executions, 0) AS executions_share,
       COALESCE(hot_bytecodes, 0)::DOUBLE / NULLIF(n_bytecodes, 0) AS bytecodes_share,
       executions_spread::DOUBLE / NULLIF(n_methods * n_executions, 0) AS executions_gini,
       bytecodes_spread::DOUBLE / NULLIF(n_methods * n_bytecodes, 0) AS bytecodes_gini
FROM total
