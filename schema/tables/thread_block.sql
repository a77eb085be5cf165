/**
 * @table        thread_block
 * @description  Executions of each basic block in each thread: the sums of context_block.
 * @recorded     always
 * @order        thread_id, basic_block_id
 * @sums         context_block
 */
CREATE TABLE thread_block (
    thread_id       INTEGER NOT NULL REFERENCES thread (thread_id),            -- thread
    basic_block_id  INTEGER NOT NULL REFERENCES basic_block (basic_block_id),  -- block
    n_executions    BIGINT NOT NULL CHECK (n_executions >= 1),                                           -- executions, at least 1 [execution]
    PRIMARY KEY (thread_id, basic_block_id)
);
