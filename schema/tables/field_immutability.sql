/**
 * @table        field_immutability
 * @description  In how many watched objects each instance field is immutable. A field is virgin until its
 *               first access. A read makes it immutable, and so does a write by the object's own
 *               constructor or by a method that this calls. Any other write makes it mutable for ever.
 *               Fields of the other objects are virgin.
 * @recorded     --probes immutability
 * @order        field_id
 * @element      fieldImmutability
 * @within       classes 4
 */
CREATE TABLE field_immutability (
    field_id     INTEGER PRIMARY KEY REFERENCES field (field_id),  -- field
    n_objects    BIGINT NOT NULL,  -- watched objects of the declaring class and its subclasses [object]
    n_immutable  BIGINT NOT NULL,  -- objects in which it is immutable [object]
    n_mutable    BIGINT NOT NULL   -- objects in which it is mutable [object]
);
