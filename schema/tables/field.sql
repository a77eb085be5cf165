/**
 * @table        field
 * @description  The fields that the loaded classes declare, in the order of the class file.
 * @recorded     always
 * @order        class_id
 * @element      field
 * @within       class 1
 * @named_by     class_id, name, descriptor
 */
CREATE TABLE field (
    field_id      INTEGER PRIMARY KEY,  -- dense key
    class_id      INTEGER NOT NULL REFERENCES class (class_id),  -- declaring class
    name          VARCHAR NOT NULL,     -- name
    descriptor    VARCHAR NOT NULL,     -- descriptor, such as Ljava/lang/String;
    access_flags  INTEGER NOT NULL,     -- access_flags of the class file (JVMS 4.5)
    is_static     BOOLEAN NOT NULL      -- whether it is static
);
