/**
 * @table        method
 * @description  The native methods that were called or are not followed, by their names: what is
 *               known of them where calls are not counted.
 * @recorded     always
 * @order        class_id, name, descriptor
 */
CREATE TABLE method (
    method_id   INTEGER PRIMARY KEY,  -- dense key
    class_id    INTEGER NOT NULL REFERENCES class (class_id),  -- declaring class
    name        VARCHAR NOT NULL,     -- name
    descriptor  VARCHAR NOT NULL      -- descriptor, such as (I)V
);
