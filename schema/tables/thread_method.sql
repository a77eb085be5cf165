/**
 * @table        thread_method
 * @description  Calls and bytecodes of each method in each thread: the sums of context.
 * @recorded     always
 * @order        thread_id, method_id
 * @sums         context
 */
CREATE TABLE thread_method (
    thread_id    INTEGER NOT NULL REFERENCES thread (thread_id),  -- thread
    method_id    INTEGER NOT NULL REFERENCES method (method_id),  -- method
    n_calls      BIGINT NOT NULL,  -- calls [call]
    n_bytecodes  BIGINT NOT NULL,  -- bytecodes executed, without callees [bytecode]
    PRIMARY KEY (thread_id, method_id)
);
