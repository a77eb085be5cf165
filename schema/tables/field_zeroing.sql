/**
 * @table        field_zeroing
 * @description  How each instance field was first accessed, over all watched objects that have it. If the
 *               first access was a write, the zero that the object was made with was needless. Fields of
 *               the other objects were never accessed.
 * @recorded     --probes zeroing
 * @order        field_id
 * @element      fieldZeroing
 * @within       classes 8
 */
CREATE TABLE field_zeroing (
    field_id         INTEGER PRIMARY KEY REFERENCES field (field_id),  -- field
    n_objects        BIGINT NOT NULL,  -- watched objects of the declaring class and its subclasses [object]
    n_read_first     BIGINT NOT NULL,  -- objects in which it was read first [object]
    n_written_first  BIGINT NOT NULL   -- objects in which it was written first [object]
);
