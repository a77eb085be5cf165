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
 * @fixed        percent
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
SELECT percent, n_hot AS n_hot_blocks, executions_share, bytecodes_share
FROM stats.hotness_curve((SELECT LIST(part) FROM blocks.executed() AS part))
ORDER BY percent
