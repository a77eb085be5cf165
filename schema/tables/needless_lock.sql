/**
 * @table        needless_lock
 * @description  The watched objects of each class that were locked, and those among them that need no
 *               lock: because they are immutable, as in object_immutability, or because none of their
 *               fields is shared, as in object_sharing.
 * @recorded     --probes locking and sharing
 * @order        class_id
 * @element      needlessLock
 * @within       classes 14
 */
CREATE TABLE needless_lock (
    class_id              INTEGER PRIMARY KEY REFERENCES class (class_id),  -- class, not a superclass
    n_objects             BIGINT NOT NULL,  -- watched objects [object]
    n_locked              BIGINT NOT NULL,  -- objects that were locked [object]
    n_immutable           BIGINT NOT NULL,  -- locked objects whose fields are all immutable [object]
    n_unshared            BIGINT NOT NULL,  -- locked objects none of whose fields is read-shared or write-shared [object]
    n_immutable_unshared  BIGINT NOT NULL   -- locked objects of both kinds [object]
);
