/**
 * @table        class
 * @description  The classes of the native methods in table method, by their names: what is known of
 *               them where calls are not counted. Classes of one name are one row.
 * @recorded     always
 * @order        name
 */
CREATE TABLE class (
    class_id  INTEGER PRIMARY KEY,  -- dense key
    name      VARCHAR NOT NULL      -- name in JVM form, such as java/lang/String
);
