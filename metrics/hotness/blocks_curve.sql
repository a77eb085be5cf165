/**
 * @id           hotness.blocks_curve
 * @name         Lorenz curve of basic blocks
 * @description  The Lorenz curves of hotness.blocks, hottest blocks first: for each percent of the
 *               n distinct executed basic blocks, the share of all executions, and of all bytecodes
 *               executed, that falls on the first ceil(percent / 100 * n) blocks. Blocks are ranked
 *               by executions for the first share, and by bytecodes for the second.
 * @kind         table
 * @version      2
 * @grain        bin
 * @column       percent           integer               percentage of the executed basic blocks
 * @column       n_hot_blocks      integer  basic_block  number of these blocks
 * @column       executions_share  number   1            share of the executions on these blocks
 * @column       bytecodes_share   number   1            share of the bytecodes on these blocks
 * @shares       executions_share bytecodes_share
 * @levels       n_hot_blocks
 * @plot         line percent bytecodes_share
 * @better       none
 * @requires     thread_block, basic_block
 * @import       blocks
 * @import       stats
 * @source       METRICS hotness.blocks: the whole curve, other cut-offs; Sarimbekov et al. 2013,
 *               Table 1
 * @tags         hotness basic_block paper
 */
WITH executions AS (
    FROM stats.curve((SELECT COALESCE(LIST(n_executions), []) FROM blocks.executed()))
),
bytecodes AS (
    FROM stats.curve((SELECT COALESCE(LIST(n_bytecodes), []) FROM blocks.executed()))
)
SELECT executions.percent,
       executions.n_top AS n_hot_blocks,
       executions.total_share AS executions_share,
       bytecodes.total_share AS bytecodes_share
FROM executions
JOIN bytecodes ON bytecodes.percent = executions.percent
ORDER BY executions.percent
