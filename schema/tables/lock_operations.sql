/**
 * @table        lock_operations
 * @description  The locked objects of each type by the number of operations on their monitors: entries
 *               and waits. A row is for a range of numbers: 1, 2, 3 to 4, 5 to 8, and so on.
 * @recorded     --probes locking
 * @order        class_id (null last), type, max_operations
 * @element      lockOperations
 * @within       classes 10
 */
CREATE TABLE lock_operations (
    class_id        INTEGER REFERENCES class (class_id),  -- as in object_lock; null: as there
    type            VARCHAR NOT NULL,                     -- as in object_lock
    max_operations  BIGINT NOT NULL,                      -- greatest number of the range, a power of two [execution]
    n_objects       BIGINT NOT NULL CHECK (n_objects >= 1)  -- objects, at least 1 [object]
);
