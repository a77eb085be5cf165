/**
 * @description The eight classes whose objects are boxed primitives.
 * @column      class_name  text  wrapper class, in JVM form
 * @column      descriptor  text  of its static valueOf that takes the primitive
 */
CREATE MACRO boxing.wrappers() AS TABLE
    SELECT 'java/lang/' || name AS class_name,
           '(' || primitive || ')Ljava/lang/' || name || ';' AS descriptor
    FROM (
        VALUES ('Boolean', 'Z'), ('Byte', 'B'), ('Character', 'C'), ('Double', 'D'),
               ('Float', 'F'), ('Integer', 'I'), ('Long', 'J'), ('Short', 'S')
    ) AS wrapper(name, primitive)
