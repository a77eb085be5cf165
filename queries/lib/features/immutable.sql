/**
 * @description The rows of features.classes whose objects were watched, in all their fields, and how
 *              many of these objects are immutable.
 * @column      n_objects    integer  object  watched objects; the other columns are those of features.classes
 * @column      n_immutable  integer  object  objects whose fields are all immutable
 */
CREATE MACRO features.immutable() AS TABLE
    SELECT c.*, o.n_objects, o.n_immutable
    FROM object_immutability AS o
    JOIN watched_class AS w ON w.class_id = o.class_id
    JOIN features.classes() AS c ON c.class_id = o.class_id
    WHERE w.n_fields > 0 AND w.n_fields = w.n_watched_fields AND o.n_objects > 0
