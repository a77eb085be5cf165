/**
 * @id           hotness.covering
 * @name         How little of a program covers most of what it executes
 * @description  The smallest number of bytecodes, methods and classes that together cover a share
 *               of all bytecodes executed: the hottest, until their executions reach ceil(share *
 *               bytecodes executed). A bytecode is a place in the program. The weight of a method
 *               is the bytecodes executed in it, without its callees; the weight of a class is the
 *               sum over its methods. Classes and methods that executed no bytecodes do not count.
 * @kind         metric
 * @version      2
 * @grain        bin
 * @column       part            text               class, method or bytecode
 * @column       n_covering      integer  part      the hottest, which cover the share
 * @column       n_executed      integer  part      all that were executed
 * @column       covering_share  number   1         n_covering as a share of n_executed
 * @column       n_bytecodes     integer  bytecode  bytecodes executed
 * @shares       covering_share
 * @levels       n_covering n_executed n_bytecodes
 * @better       none
 * @param        share number 0.9 share of the bytecodes executed to cover
 * @requires     thread_method, thread_block, basic_block, method
 * @import       blocks
 * @import       stats
 * @source       Dufour et al. 2003 (*J) size.hot, size.hotMethods, size.hotClasses: value and
 *               percentile, and with --scope application their app variants
 * @tags         hotness starj
 */
WITH executed_method AS (
    SELECT method_id, SUM(n_bytecodes)::BIGINT AS n_bytecodes
    FROM thread_method
    GROUP BY method_id
    HAVING SUM(n_bytecodes) > 0
),
-- A class or a method is one place; the bytecodes of a part of a block are places that ran equally often.
weighted AS (
    SELECT 'class' AS part, SUM(e.n_bytecodes)::BIGINT AS n_executions, 1 AS n_places
    FROM executed_method AS e
    JOIN run.method AS m ON m.method_id = e.method_id
    GROUP BY m.class_id
    UNION ALL
    SELECT 'method', n_bytecodes, 1
    FROM executed_method
    UNION ALL
    SELECT 'bytecode', n_executions, n_instructions
    FROM blocks.parts()
),
ranked AS (
    SELECT part,
           n_executions,
           n_places,
           SUM(n_executions * n_places) OVER (PARTITION BY part)::HUGEINT AS n_bytecodes,
           SUM(n_executions * n_places) OVER hottest_first
               - n_executions * n_places AS covered_before
    FROM weighted
    WINDOW hottest_first AS (
        PARTITION BY part ORDER BY n_executions DESC ROWS UNBOUNDED PRECEDING
    )
),
missing AS (
    SELECT part,
           n_executions,
           n_places,
           n_bytecodes,
           CEIL($share::DECIMAL(9, 6) * n_bytecodes)::HUGEINT - covered_before AS n_missing
    FROM ranked
),
covering AS (
    SELECT part,
           SUM(LEAST(n_places, (n_missing + n_executions - 1) // n_executions))
               FILTER (WHERE n_missing > 0) AS n_covering,
           SUM(n_places) AS n_executed,
           ANY_VALUE(n_bytecodes) AS n_bytecodes
    FROM missing
    GROUP BY part
)
SELECT part,
       COALESCE(c.n_covering, 0)::BIGINT AS n_covering,
       COALESCE(c.n_executed, 0)::BIGINT AS n_executed,
       stats.share(c.n_covering, c.n_executed) AS covering_share,
       COALESCE(c.n_bytecodes, 0)::BIGINT AS n_bytecodes
FROM (VALUES (1, 'class'), (2, 'method'), (3, 'bytecode')) AS p (rank, part)
LEFT JOIN covering AS c USING (part)
ORDER BY p.rank
