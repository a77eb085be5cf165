/**
 * @table        context_block
 * @description  How often each basic block ran in each context. A block ran if its first instruction
 *               did; blocks that never ran have no row.
 * @recorded     always
 * @order        context_id, basic_block_id
 * @element      basicBlock
 * @within       context 1
 * @fact         'block ' || basic_block."index" || ' at offset ' || basic_block.first_offset
 */
CREATE TABLE context_block (
    context_id      INTEGER NOT NULL REFERENCES context (context_id),          -- node
    basic_block_id  INTEGER NOT NULL REFERENCES basic_block (basic_block_id),  -- block of the node's method
    n_executions    BIGINT NOT NULL CHECK (n_executions >= 1),                                           -- executions, at least 1 [execution]
    PRIMARY KEY (context_id, basic_block_id)
);
