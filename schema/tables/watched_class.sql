/**
 * @table        watched_class
 * @description  The classes whose objects were watched, and those that could not be. An object is watched
 *               from its constructor, its clone or its deserialisation on; not at all if an exception
 *               ends an operand of the constructor's call. Objects that were made before
 *               the program, by the VM, or by native code are unseen; they are counted here when one of
 *               their fields is accessed, and nowhere else.
 * @recorded     --probes immutability, sharing or zeroing
 * @order        class_id
 * @element      watchedClass
 * @within       classes 3
 */
CREATE TABLE watched_class (
    class_id          INTEGER PRIMARY KEY REFERENCES class (class_id),  -- class, not a superclass
    n_objects         BIGINT NOT NULL,   -- watched objects [object]
    n_unseen_objects  BIGINT NOT NULL,   -- objects that were accessed, but not seen to be made [object]
    n_fields          INTEGER NOT NULL,  -- instance fields of an object, inherited ones included [field]
    n_watched_fields  INTEGER NOT NULL,  -- fields whose accesses are watched, of those [field]
    reason            VARCHAR            -- why the fields that it declares are not; null: they are
);
