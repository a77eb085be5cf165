/**
 * @table        block_segment
 * @description  The parts of basic blocks between instructions that can throw. With them, counts are
 *               exact even if an exception leaves a block in the middle.
 * @recorded     --exact-exceptions
 * @order        basic_block_id, index
 * @element      blockSegment
 * @within       basic_block 2
 * @named_by     basic_block_id, index
 */
CREATE TABLE block_segment (
    block_segment_id  INTEGER PRIMARY KEY,  -- dense key
    basic_block_id    INTEGER NOT NULL REFERENCES basic_block (basic_block_id),  -- block
    index             INTEGER NOT NULL,     -- number within the block, from 0, in the order of offsets
    first_offset      INTEGER NOT NULL,     -- offset of the first instruction [byte]
    last_offset       INTEGER NOT NULL,     -- offset of the last instruction [byte]
    n_instructions    INTEGER NOT NULL      -- instructions [bytecode]
);
