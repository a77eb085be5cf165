/**
 * @id           hotness.cutoffs
 * @name         Hotness at several cut-offs
 * @description  The share of all executions, and of all bytecodes executed, that falls on the
 *               hottest 1, 2, 5, 10, 20 and 50 percent of the distinct executed basic blocks and
 *               methods: hotness.blocks and hotness.methods with each of these cutoffs, in one
 *               table.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       part              text             block or method
 * @column       percent           integer          percentage of the executed blocks or methods
 * @column       n_hot             integer  part    number of these blocks or methods
 * @column       executions_share  number   1       share of the executions on them
 * @column       bytecodes_share   number   1       share of the bytecodes on them
 * @fixed        part percent
 * @shares       executions_share bytecodes_share
 * @levels       n_hot
 * @plot         line percent bytecodes_share part
 * @better       none
 * @requires     thread_block, basic_block, thread_method
 * @import       blocks
 * @import       methods
 * @import       stats
 * @source       METRICS hotness.blocks, hotness.methods: other cut-offs; Sarimbekov et al. 2013, Table 1
 * @tags         hotness basic_block method
 */
WITH executed AS (
    SELECT 1 AS rank, 'block' AS part, LIST(n_executions) AS executions,
           LIST(n_bytecodes) AS bytecodes
    FROM blocks.executed()
    UNION ALL
    SELECT 2, 'method', LIST(n_executions), LIST(n_bytecodes)
    FROM methods.executed()
)
SELECT part,
       percent,
       stats.n_top(length(executions), percent / 100.0) AS n_hot,
       stats.top_share(executions, percent / 100.0) AS executions_share,
       stats.top_share(bytecodes, percent / 100.0) AS bytecodes_share
FROM executed
CROSS JOIN (VALUES (1), (2), (5), (10), (20), (50)) AS cutoff (percent)
WHERE length(executions) > 0
ORDER BY rank, percent
