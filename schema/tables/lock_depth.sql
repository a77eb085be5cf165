/**
 * @table        lock_depth
 * @description  How deep the locks of each type are nested: a thread that holds a monitor and enters it
 *               again reaches depth 2. Depth 64 stands for 64 and more.
 * @recorded     --probes locking
 * @order        class_id (null last), type, depth
 * @element      lockDepth
 * @within       classes 11
 */
CREATE TABLE lock_depth (
    class_id   INTEGER REFERENCES class (class_id),  -- as in object_lock; null: as there
    type       VARCHAR NOT NULL,                     -- as in object_lock
    depth      INTEGER NOT NULL CHECK (depth >= 1),  -- entries of one monitor by one thread, at least 1 [execution]
    n_objects  BIGINT NOT NULL,                      -- objects for which this is the deepest nesting [object]
    n_entries  BIGINT NOT NULL CHECK (n_entries >= 1)  -- entries that reached this depth, at least 1 [execution]
);
