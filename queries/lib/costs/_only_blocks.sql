/**
 * @description The basic blocks that were not counted, but run once at each call of their methods,
 *              since they are the only ones.
 * @column      method_id       integer  method
 * @column      basic_block_id  integer  its block
 */
CREATE MACRO costs._only_blocks() AS TABLE
    SELECT block.method_id, MIN(block.basic_block_id) AS basic_block_id
    FROM run.basic_block AS block
    JOIN run.method AS method ON method.method_id = block.method_id
    WHERE method.coverage <> 'full'
    GROUP BY block.method_id
    HAVING COUNT(*) = 1
