/**
 * @description Each class with itself and all its superclasses and superinterfaces, as far as they
 *              were loaded.
 * @column      class_id      integer  class or interface
 * @column      ancestor_id   integer  itself or a type above it
 */
CREATE MACRO hierarchy.supertypes() AS TABLE
    WITH RECURSIVE above AS (
        SELECT class_id, super_id AS ancestor_id
        FROM run.class
        WHERE super_id IS NOT NULL
        UNION ALL
        SELECT class_id, UNNEST(interface_ids) AS ancestor_id
        FROM run.class
    ),
    supertype AS (
        SELECT class_id, class_id AS ancestor_id
        FROM run.class
        UNION
        SELECT supertype.class_id, above.ancestor_id
        FROM supertype
        JOIN above ON above.class_id = supertype.ancestor_id
    )
    SELECT class_id, ancestor_id FROM supertype
