/**
 * @table        unfollowed_object
 * @description  The objects whose lifetimes are not known, by type. What is found later was
 *               allocated by the VM, by native code without a constructor, or before recording
 *               began; it is taken to be alive, with all that it refers to, until the VM ends.
 * @recorded     --probes lifetimes
 * @order        type, class_id (null last)
 * @element      unfollowed
 * @within       classes 15
 * @fact         'objects of ' || type || ' that are not followed'
 */
CREATE TABLE unfollowed_object (
    type             VARCHAR NOT NULL,                         -- name of the class, or descriptor of the array
    class_id         INTEGER REFERENCES class (class_id),      -- class, or of arrays that of the elements; null: the elements are numbers, or the class is not known
    n_found          BIGINT NOT NULL,          -- objects that were met, but whose allocation was not seen [object]
    n_unconstructed  BIGINT NOT NULL  -- objects that waited for their constructor when the VM ended [object]
);
