/**
 * @description What one execution of each part of a block costs, as costs.blocks says of whole
 *              blocks: parts are block segments where these were recorded.
 * @column      block_part_id   integer               part, as thread_part and context_part have it
 * @column      method_id       integer               its method
 * @column      cycles          integer  cycle        of the instructions whose cost is known
 * @column      n_unpriced      integer  instruction  instructions whose cost is not known
 */
CREATE MACRO costs.parts() AS TABLE
    SELECT part.block_part_id,
           block.method_id,
           COALESCE(SUM(cost.cycles), 0)::BIGINT AS cycles,
           COUNT(*) - COUNT(cost.cycles) AS n_unpriced
    FROM run.block_part AS part
    JOIN run.basic_block AS block ON block.basic_block_id = part.basic_block_id
    JOIN run.instruction
        ON instruction.basic_block_id = part.basic_block_id
        AND instruction."offset" BETWEEN part.first_offset AND part.last_offset
    JOIN opcode_cost AS cost ON cost.opcode = instruction.opcode
    GROUP BY part.block_part_id, block.method_id
