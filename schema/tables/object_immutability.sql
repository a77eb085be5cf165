/**
 * @table        object_immutability
 * @description  How many watched objects of each class are immutable; field_immutability says when a field
 *               is. The other objects have a field that is virgin, and none that is mutable. Objects without
 *               fields are among these.
 * @recorded     --probes immutability
 * @order        class_id
 * @element      objectImmutability
 * @within       classes 5
 */
CREATE TABLE object_immutability (
    class_id     INTEGER PRIMARY KEY REFERENCES class (class_id),  -- class, not a superclass
    n_objects    BIGINT NOT NULL,  -- watched objects [object]
    n_immutable  BIGINT NOT NULL,  -- objects whose fields are all immutable [object]
    n_mutable    BIGINT NOT NULL   -- objects with a field that is mutable [object]
);
