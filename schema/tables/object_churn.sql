/**
 * @table        object_churn
 * @description  How far from where they were allocated objects died: the calls from the allocating
 *               context up to the closest context that is also above the context of the death, and
 *               down to that. An object dies where a root referred to it last: in the frame that
 *               returned, overwrote a variable, or stored another reference. Objects that were
 *               alive when the VM ended are left out.
 * @recorded     --probes lifetimes
 * @order        context_id, instruction_id (null last), type, class_id (null last), distance (null last)
 * @element      churn
 * @within       context 9
 * @folded       how far from their allocation objects died is not known where calls are folded
 * @reaches      run
 * @fact         'objects of ' || type || COALESCE(' that died at a distance of ' || distance, ' that died elsewhere')
 */
CREATE TABLE object_churn (
    context_id      INTEGER NOT NULL REFERENCES context (context_id),  -- node
    instruction_id  INTEGER REFERENCES instruction (instruction_id),   -- instruction that allocated; null: the VM or native code did
    type            VARCHAR NOT NULL,                                  -- name of the class, or descriptor of the array
    class_id        INTEGER REFERENCES class (class_id),               -- class, or of arrays that of the elements; null: the elements are numbers, or the class is not known
    distance        INTEGER,                                           -- calls up and down; null: they died in another thread, so no context is above both [call]
    n_objects       BIGINT NOT NULL CHECK (n_objects >= 1)             -- objects, at least 1 [object]
);
