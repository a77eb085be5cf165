/**
 * @table        context_segment
 * @description  How often each block segment ran in each context. Segments that never ran have no
 *               row.
 * @recorded     --exact-exceptions
 * @order        context_id, block_segment_id
 * @element      blockSegment
 * @within       context 2
 * @fact         'segment ' || block_segment."index" || ' of block ' || basic_block."index"
 *               || ' at offset ' || block_segment.first_offset
 */
CREATE TABLE context_segment (
    context_id        INTEGER NOT NULL REFERENCES context (context_id),              -- node
    block_segment_id  INTEGER NOT NULL REFERENCES block_segment (block_segment_id),  -- segment of a block of the node's method
    n_executions      BIGINT NOT NULL CHECK (n_executions >= 1),                                               -- executions, at least 1 [execution]
    PRIMARY KEY (context_id, block_segment_id)
);
