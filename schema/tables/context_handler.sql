/**
 * @table        context_handler
 * @description  How often the exception handlers of each context ran, by the class of the exception.
 *               Handlers that never ran have no row. Compilers also make handlers of `finally`, of
 *               synchronized blocks and of resources that a `try` closes.
 * @recorded     --probes handlers
 * @order        context_id, basic_block_id, class_id
 * @element      handler
 * @within       context 6
 * @fact         'catches of ' || class.name || ' (' || class.loader || ') in block ' || basic_block."index"
 */
CREATE TABLE context_handler (
    context_id      INTEGER NOT NULL REFERENCES context (context_id),          -- node
    basic_block_id  INTEGER NOT NULL REFERENCES basic_block (basic_block_id),  -- first block of the handler
    class_id        INTEGER NOT NULL REFERENCES class (class_id),              -- class of the exception
    n_executions    BIGINT NOT NULL CHECK (n_executions >= 1)                  -- executions of the handler, at least 1 [execution]
);
