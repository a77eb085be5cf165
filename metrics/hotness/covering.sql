/**
 * @id           hotness.covering
 * @name         How little of a program covers most of what it executes
 * @description  The smallest number of bytecodes, of methods and of classes that together cover a
 *               share of all bytecodes executed, hottest first: until their executions reach
 *               ceil(share * bytecodes executed). A bytecode is a place in the program; a method's
 *               weight is the bytecodes executed in it, callees excluded, a class's that of its
 *               methods. The divisor is those of weight greater than 0.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       part            text               class, method or bytecode
 * @column       n_covering      integer  part      the hottest of them, by the share
 * @column       n_executed      integer  part      all of them that executed bytecodes
 * @column       covering_share  number   1         the hottest as a share of these
 * @column       n_bytecodes     integer  bytecode  bytecodes executed
 * @better       none
 * @param        share number 0.9 share of the bytecodes executed that is covered
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
executed_class AS (
    SELECT m.class_id, SUM(e.n_bytecodes)::BIGINT AS n_bytecodes
    FROM executed_method AS e
    JOIN run.method AS m ON m.method_id = e.method_id
    GROUP BY m.class_id
),
-- The bytecodes of a block ran equally often, so a block may be covered in part.
ranked_block AS (
    SELECT n_executions,
           n_instructions,
           SUM(n_bytecodes) OVER hottest_first - n_bytecodes AS covered_before,
           SUM(n_bytecodes) OVER () AS n_all
    FROM blocks.executed()
    WINDOW hottest_first AS (
        ORDER BY n_executions DESC, basic_block_id ROWS UNBOUNDED PRECEDING
    )
),
block_needed AS (
    SELECT n_executions,
           n_instructions,
           CEIL($share::DECIMAL(9, 6) * n_all)::HUGEINT - covered_before AS n_missing
    FROM ranked_block
),
covering AS (
    SELECT 1 AS rank,
           'class' AS part,
           stats.n_covering(COALESCE(LIST(n_bytecodes), []), $share) AS n_covering,
           COUNT(*) AS n_executed,
           COALESCE(SUM(n_bytecodes), 0)::BIGINT AS n_bytecodes
    FROM executed_class
    UNION ALL
    SELECT 2,
           'method',
           stats.n_covering(COALESCE(LIST(n_bytecodes), []), $share),
           COUNT(*),
           COALESCE(SUM(n_bytecodes), 0)::BIGINT
    FROM executed_method
    UNION ALL
    SELECT 3,
           'bytecode',
           COALESCE(
               SUM(LEAST(n_instructions, (n_missing + n_executions - 1) // n_executions))
                   FILTER (WHERE n_missing > 0),
               0
           )::BIGINT,
           COALESCE(SUM(n_instructions), 0)::BIGINT,
           COALESCE(SUM(n_executions::HUGEINT * n_instructions), 0)::BIGINT
    FROM block_needed
)
SELECT part,
       n_covering,
       n_executed,
       stats.share(n_covering, n_executed) AS covering_share,
       n_bytecodes
FROM covering
ORDER BY rank
