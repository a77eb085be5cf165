/**
 * @table        object_lock
 * @description  The objects of each type that were locked, by synchronized blocks and methods. Monitors
 *               that native code enters, those of native synchronized methods, and those of static
 *               synchronized methods of class files before version 49 are not seen, nor is what the
 *               VM's own threads lock. Table contended_entry has the entries that had to wait.
 * @recorded     --probes locking
 * @order        class_id (null last), type
 * @element      objectLock
 * @within       classes 9
 */
CREATE TABLE object_lock (
    class_id          INTEGER REFERENCES class (class_id),  -- class, or of arrays that of the elements; null: the elements are numbers, or the class is not known
    type              VARCHAR NOT NULL,                     -- name of the class, or descriptor of the array
    n_objects         BIGINT NOT NULL CHECK (n_objects >= 1),  -- objects that were locked, at least 1 [object]
    n_shared_objects  BIGINT NOT NULL,   -- objects that two or more threads locked [object]
    n_block_entries   BIGINT NOT NULL,   -- entries of monitors by monitorenter [execution]
    n_method_entries  BIGINT NOT NULL,   -- entries of monitors by synchronized methods [execution]
    n_waits           BIGINT NOT NULL,   -- calls of Object.wait, which takes the monitor again, by its owner, where the entry counts; on JDK 17 and 18 also with a negative time, which fail [call]
    n_notifications   BIGINT NOT NULL,   -- calls of Object.notify and notifyAll by the owner of the monitor [call]
    max_depth         INTEGER NOT NULL   -- how often a thread had entered one monitor at most, without having left it [execution]
);
