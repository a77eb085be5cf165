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
 * @range        share [0.000001, 1]
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
    SELECT SUM(e.n_bytecodes)::BIGINT AS n_bytecodes
    FROM executed_method AS e
    JOIN run.method AS m ON m.method_id = e.method_id
    GROUP BY m.class_id
),
-- A class or a method is one place; the bytecodes of a part of a block are places that ran equally often.
covering AS (
    SELECT 1 AS rank, 'class' AS part, *
    FROM stats.covering(
        (SELECT LIST({'n_executions': n_bytecodes, 'n_places': 1}) FROM executed_class), $share)
    UNION ALL
    SELECT 2, 'method', *
    FROM stats.covering(
        (SELECT LIST({'n_executions': n_bytecodes, 'n_places': 1}) FROM executed_method), $share)
    UNION ALL
    SELECT 3, 'bytecode', *
    FROM stats.covering(
        (SELECT LIST({'n_executions': n_executions, 'n_places': n_instructions})
         FROM blocks.parts()), $share)
)
SELECT part,
       n_covering,
       n_places AS n_executed,
       covering_share,
       n_executions AS n_bytecodes
FROM covering
ORDER BY rank
