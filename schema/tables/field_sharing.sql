/**
 * @table        field_sharing
 * @description  In how many watched objects each instance field is shared between threads.
 * @recorded     --probes sharing
 * @order        field_id
 * @element      fieldSharing
 * @within       classes 6
 */
CREATE TABLE field_sharing (
    field_id        INTEGER PRIMARY KEY REFERENCES field (field_id),  -- field
    n_objects       BIGINT NOT NULL,  -- watched objects of the declaring class and its subclasses [object]
    n_read_shared   BIGINT NOT NULL,  -- objects in which several threads read it, and only the allocating one wrote it [object]
    n_write_shared  BIGINT NOT NULL   -- objects in which several threads wrote it [object]
);
