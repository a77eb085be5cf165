/**
 * @id           hotness.blocks
 * @name         Hotness of basic blocks
 * @description  The share of all basic block executions, and of all bytecodes executed, that falls
 *               on the hottest basic blocks: the first ceil(cutoff * n) of the n distinct executed
 *               blocks. Blocks are ranked by executions for the first share, and by bytecodes
 *               (executions times instructions) for the second. The Gini coefficients belong to the
 *               Lorenz curves over the same n blocks; 0 means that all are equally hot.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_blocks          integer  basic_block  distinct blocks executed
 * @column       n_hot_blocks      integer  basic_block  number of hottest blocks, by the cutoff
 * @column       n_executions      integer  execution    block executions
 * @column       n_bytecodes       integer  bytecode     bytecodes executed
 * @column       executions_share  number   1            share of the executions on the hottest blocks
 * @column       bytecodes_share   number   1            share of the bytecodes on the hottest blocks
 * @column       executions_gini   number   1            Gini coefficient of the executions
 * @column       bytecodes_gini    number   1            Gini coefficient of the bytecodes
 * @sums         n_executions n_bytecodes
 * @shares       executions_share bytecodes_share
 * @levels       n_blocks n_hot_blocks executions_gini bytecodes_gini
 * @overview     100 bytecodes_share bytecodes of the hottest fifth of the basic blocks
 * @better       none
 * @param        cutoff number 0.2 fraction of the blocks that are the hottest
 * @range        cutoff [0.000001, 1]
 * @requires     thread_block, basic_block
 * @import       blocks
 * @import       stats
 * @source       METRICS hotness.blocks; Sarimbekov et al. 2013, Table 1; the number of hottest
 *               blocks is rounded up
 * @tags         hotness basic_block paper
 */
SELECT n AS n_blocks,
       n_hot AS n_hot_blocks,
       n_executions,
       n_bytecodes,
       executions_share,
       bytecodes_share,
       executions_gini,
       bytecodes_gini
FROM stats.hotness((SELECT LIST(part) FROM blocks.executed() AS part), $cutoff)
