/**
 * @table        allocation
 * @description  The objects that each context allocated, by the instruction, their type and size.
 *               The instruction is `new` or one that makes arrays; or the call of a native method
 *               that returned a new object, such as `Object.clone`. Without an instruction, the VM
 *               or native code allocated the object and called its constructor, as for the
 *               exceptions that the VM throws. What they allocate without a constructor is not
 *               counted.
 * @recorded     --probes allocations
 * @order        context_id, instruction_id (null last), type, class_id (null last), size_bytes (null last)
 * @element      allocation
 * @within       context 7
 * @fact         'allocations of ' || type || COALESCE(' of ' || size_bytes || ' bytes', '')
 */
CREATE TABLE allocation (
    context_id      INTEGER NOT NULL REFERENCES context (context_id),  -- node
    instruction_id  INTEGER REFERENCES instruction (instruction_id),   -- instruction that allocated; null: the VM or native code did
    type            VARCHAR NOT NULL,                                  -- name of the class, or descriptor of the array
    class_id        INTEGER REFERENCES class (class_id),               -- class, or of arrays that of the elements; null: the elements are numbers, or the class is not known
    size_bytes      BIGINT,                                            -- size of each object with its header, as the VM makes it without the recording; null: not known, as of Class objects [byte]
    n_objects       BIGINT NOT NULL CHECK (n_objects >= 1)             -- objects, at least 1 [object]
);
