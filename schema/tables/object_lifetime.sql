/**
 * @table        object_lifetime
 * @description  How long the objects lived that each context allocated: bytes that the program
 *               allocated between the birth of an object and its death, when it could no longer
 *               be reached. The clock and the sizes are those of the VM without the recording. A
 *               lifetime is rounded up to eight significant binary digits, so that counts up to a
 *               limit with no more digits (any sum of eight neighbouring powers of two, such as
 *               4 MiB or 100 MiB) are exact; sum_lifetime_bytes is exact.
 * @recorded     --probes lifetimes
 * @order        context_id, instruction_id (null last), type, class_id (null last), lifetime_bytes (null last)
 * @element      lifetime
 * @within       context 8
 * @fact         'objects of ' || type || COALESCE(' that lived ' || lifetime_bytes || ' bytes', ' that stayed')
 */
CREATE TABLE object_lifetime (
    context_id          INTEGER NOT NULL REFERENCES context (context_id),  -- node
    instruction_id      INTEGER REFERENCES instruction (instruction_id),   -- instruction that allocated; null: the VM or native code did
    type                VARCHAR NOT NULL,                                  -- name of the class, or descriptor of the array
    class_id            INTEGER REFERENCES class (class_id),               -- class, or of arrays that of the elements; null: the elements are numbers, or the class is not known
    lifetime_bytes      BIGINT,                                            -- lifetime, rounded up; null: alive when the VM ended [byte]
    sum_lifetime_bytes  BIGINT,                                            -- sum of their lifetimes, not rounded; null: alive when the VM ended [byte]
    n_objects           BIGINT NOT NULL CHECK (n_objects >= 1)             -- objects, at least 1 [object]
);
