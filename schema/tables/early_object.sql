/**
 * @table        early_object
 * @description  The objects that were made before objects were watched, while the VM started. They are in
 *               table allocation, but not among the watched objects. A class has no row if it has none;
 *               hidden classes from before the recording never have one.
 * @recorded     --probes immutability, sharing or zeroing
 * @order        class_id
 * @element      earlyObject
 * @within       classes 18
 */
CREATE TABLE early_object (
    class_id   INTEGER PRIMARY KEY REFERENCES class (class_id),  -- class, not a superclass
    n_objects  BIGINT NOT NULL CHECK (n_objects >= 1)  -- objects, at least 1 [object]
);
