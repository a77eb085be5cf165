/**
 * @table        hash_calls
 * @description  The objects of each type by the number of calls for their hash codes. A row is for a range
 *               of numbers: 1, 2, 3 to 4, 5 to 8, and so on.
 * @recorded     --probes hashcodes
 * @order        class_id (null last), type, kind, max_calls (null last)
 * @element      hashCalls
 * @within       classes 13
 */
CREATE TABLE hash_calls (
    class_id   INTEGER REFERENCES class (class_id),  -- as in object_hash; null: as there
    type       VARCHAR NOT NULL,                     -- as in object_hash
    kind       hash_kind NOT NULL,                   -- as there
    max_calls  BIGINT,                               -- greatest number of the range, a power of two; null: more than 1,048,576 [call]
    n_objects  BIGINT NOT NULL CHECK (n_objects >= 1)  -- objects, at least 1 [object]
);
