/**
 * @table        unseen_allocation
 * @description  The objects that table allocation lacks, by type and who made them, as far as they can be
 *               counted. Makers are `jni`, a function of JNI such as NewStringUTF or NewObjectArray, called by
 *               native code; `vm`, the VM in a native method of the JDK, as for the results of reflection;
 *               and `class`, the VM when it loaded a class: its Class object. Objects whose constructor
 *               is called are in table allocation.
 * @recorded     --probes allocations
 * @needs        the library for native code, which is for Linux on x86-64
 * @order        type, class_id (null last), maker
 * @element      unseenAllocation
 * @within       classes 21
 * @fact         'objects of ' || type || ' by ' || maker || ' that no context has'
 */
CREATE TABLE unseen_allocation (
    type       VARCHAR NOT NULL,  -- name of the class, or descriptor of the array
    class_id   INTEGER REFERENCES class (class_id),  -- class, or of arrays that of the elements; null: the elements are numbers, or none or several classes have the name
    maker      VARCHAR NOT NULL,  -- who made them: class, jni or vm
    n_objects  BIGINT NOT NULL CHECK (n_objects >= 1)  -- objects, at least 1 [object]
);
