/**
 * @table        handled
 * @description  What the built-in probe handlers records.
 * @order        context_id, basic_block_id, class_id
 * @within       context
 */
CREATE TABLE handled (
    context_id      INTEGER NOT NULL REFERENCES context (context_id),          -- node
    basic_block_id  INTEGER NOT NULL REFERENCES basic_block (basic_block_id),  -- first block of the handler
    class_id        INTEGER NOT NULL REFERENCES class (class_id),              -- class of the exception
    n_executions    BIGINT NOT NULL                                            -- executions [execution]
);
