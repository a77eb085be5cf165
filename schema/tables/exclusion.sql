/**
 * @table        exclusion
 * @description  What was not counted in full, and why.
 * @recorded     always
 * @order        class_name, method_name, descriptor
 */
CREATE TABLE exclusion (
    class_name   VARCHAR NOT NULL,  -- class in JVM form
    method_name  VARCHAR,           -- method; null: the whole class
    descriptor   VARCHAR,           -- its descriptor; null: every method of the name
    reason       VARCHAR NOT NULL   -- why
);
