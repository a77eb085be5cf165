/**
 * @table        receiver
 * @description  The classes of the receivers of each called node; the call site is the node's. Only
 *               calls by invokevirtual and invokeinterface have receivers here. All arrays are one
 *               receiver class, because the VM creates array classes without loading them, so they
 *               have no rows in class.
 * @recorded     --probes receivers
 * @order        context_id, class_id (null last)
 * @element      receiver
 * @within       context 3
 * @counted_at   caller
 * @fact         'calls on ' || COALESCE(class.name || ' (' || class.loader || ')', 'arrays')
 * @folded       receivers of folded calls are not kept by call site
 */
CREATE TABLE receiver (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node of the called method
    class_id    INTEGER REFERENCES class (class_id),               -- class of the receiver; null: arrays, and hidden classes from before the recording
    n_calls     BIGINT NOT NULL                                    -- calls on receivers of the class [call]
);
