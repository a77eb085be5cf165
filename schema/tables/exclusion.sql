/**
 * @table        exclusion
 * @description  Classes and methods that were not counted in full, and why.
 * @recorded     always
 * @order        class_name, method_name (null first), descriptor (null first)
 * @element      exclusion
 * @within       classes 2
 */
CREATE TABLE exclusion (
    class_name   VARCHAR NOT NULL,  -- class in JVM form
    method_name  VARCHAR,           -- method; null: the whole class
    descriptor   VARCHAR,           -- descriptor; null: every method with the name
    reason       VARCHAR NOT NULL   -- why it was not counted in full
);
