/**
 * @description What one execution of each basic block costs by the cost model in use. Invokes and
 *              returns count what they cost with a method of no bytes that the cache has; the
 *              rest of it depends on who is called, and returned to: costs.calls.
 * @column      basic_block_id  integer               basic block
 * @column      method_id       integer               its method
 * @column      cycles          integer  cycle        of the instructions whose cost is known
 * @column      n_unpriced      integer  instruction  instructions whose cost is not known
 */
CREATE MACRO costs.blocks() AS TABLE
    SELECT b.basic_block_id,
           b.method_id,
           COALESCE(i.cycles, 0)::BIGINT AS cycles,
           COALESCE(i.n_unpriced, 0)::BIGINT AS n_unpriced
    FROM run.basic_block AS b
    LEFT JOIN (
        SELECT instruction.basic_block_id,
               SUM(cost.cycles) AS cycles,
               COUNT(*) - COUNT(cost.cycles) AS n_unpriced
        FROM run.instruction
        JOIN opcode_cost AS cost ON cost.opcode = instruction.opcode
        GROUP BY instruction.basic_block_id
    ) AS i ON i.basic_block_id = b.basic_block_id
