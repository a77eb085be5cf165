/**
 * @table        object_sharing
 * @description  How many watched objects of each class are shared between threads: fully, if all fields
 *               are, or partially, if some are and some are not; field_sharing says when a field is.
 * @recorded     --probes sharing
 * @order        class_id
 * @element      objectSharing
 * @within       classes 7
 */
CREATE TABLE object_sharing (
    class_id                  INTEGER PRIMARY KEY REFERENCES class (class_id),  -- class, not a superclass
    n_objects                 BIGINT NOT NULL,  -- watched objects [object]
    n_partially_read_shared   BIGINT NOT NULL,  -- objects of which some fields are read-shared [object]
    n_fully_read_shared       BIGINT NOT NULL,  -- objects of which all fields are read-shared [object]
    n_partially_write_shared  BIGINT NOT NULL,  -- objects of which some fields are write-shared [object]
    n_fully_write_shared      BIGINT NOT NULL   -- objects of which all fields are write-shared [object]
);
