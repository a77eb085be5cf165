/**
 * @table        receiver
 * @description  The classes of the receivers of each called node; the call site is the node's. Only
 *               calls by invokevirtual and invokeinterface have receivers here. All arrays are one
 *               receiver class, because the VM creates array classes without loading them, so they
 *               have no rows in class.
 * @recorded     --probes receivers
 * @order        context_id, class_id
 */
CREATE TABLE receiver (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node of the called method
    class_id    INTEGER REFERENCES class (class_id),               -- class of the receiver; null: arrays
    n_calls     BIGINT NOT NULL                                    -- calls on receivers of the class [call]
);
