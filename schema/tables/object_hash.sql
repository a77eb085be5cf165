/**
 * @table        object_hash
 * @description  The objects of each type whose hash codes were asked for, by what the calls reached.
 *               Calls by reflection, method handles and native code that reach Object.hashCode or
 *               System.identityHashCode are not seen, nor are those of the VM's own threads.
 * @recorded     --probes hashcodes
 * @order        class_id (null last), type, kind
 * @element      objectHash
 * @within       classes 12
 */
CREATE TABLE object_hash (
    class_id   INTEGER REFERENCES class (class_id),  -- class, or of arrays that of the elements; null: the elements are numbers, or the class is not known
    type       VARCHAR NOT NULL,                     -- name of the class, or descriptor of the array
    kind       hash_kind NOT NULL,                   -- a hashCode of a class's own, System.identityHashCode, or Object.hashCode
    n_objects  BIGINT NOT NULL,                      -- objects that received such calls [object]
    n_calls    BIGINT NOT NULL CHECK (n_calls >= 1)  -- calls, at least 1 [call]
);
