/**
 * @table        context_block
 * @description  How often each basic block ran in each context. A block ran if its first instruction
 *               did; blocks that never ran have no row.
 * @recorded     always
 * @order        context_id, basic_block_id
 */
CREATE TABLE context_block (
    context_id      INTEGER NOT NULL REFERENCES context (context_id),          -- node
    basic_block_id  INTEGER NOT NULL REFERENCES basic_block (basic_block_id),  -- block of the node's method
    n_executions    BIGINT NOT NULL,                                           -- executions, at least 1 [execution]
    PRIMARY KEY (context_id, basic_block_id)
);
