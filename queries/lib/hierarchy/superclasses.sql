/**
 * @description Each class with itself and its superclasses, as far as they were loaded.
 * @column      class_id     integer  class or interface
 * @column      ancestor_id  integer  itself or a class above it
 * @column      distance     integer  classes up to it; itself has 0
 */
CREATE MACRO hierarchy.superclasses() AS TABLE
    WITH RECURSIVE superclass AS (
        SELECT class_id, class_id AS ancestor_id, super_id, 0 AS distance
        FROM run.class
        UNION ALL
        SELECT superclass.class_id, c.class_id, c.super_id, superclass.distance + 1
        FROM superclass
        JOIN run.class AS c ON c.class_id = superclass.super_id
    )
    SELECT class_id, ancestor_id, distance FROM superclass
