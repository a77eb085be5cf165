/**
 * @table        receiver
 * @description  The classes of the receivers, per callee node; the call site is the node's.
 *               Only calls by invokevirtual and invokeinterface.
 * @recorded     --probes receivers
 * @order        context_id, class_id
 */
CREATE TABLE receiver (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node of the called method
    class_id    INTEGER NOT NULL REFERENCES class (class_id),      -- class of the receiver
    n_calls     BIGINT NOT NULL,                                   -- calls on receivers of the class [call]
    PRIMARY KEY (context_id, class_id)
);
