/**
 * @description The rows of features.classes whose objects were watched, in all their fields, and how
 *              many of these objects have no field that is read-shared or write-shared.
 * @column      n_objects   integer  object  watched objects; the other columns are those of features.classes
 * @column      n_unshared  integer  object  objects without a shared field; null: some objects are partially read-shared, some partially write-shared, and whether these are the same was not recorded
 */
CREATE MACRO features.unshared() AS TABLE
    SELECT c.*,
           o.n_objects,
           CASE WHEN o.n_partially_read_shared = 0 OR o.n_partially_write_shared = 0
                THEN o.n_objects - o.n_partially_read_shared - o.n_fully_read_shared
                     - o.n_partially_write_shared - o.n_fully_write_shared
           END AS n_unshared
    FROM object_sharing AS o
    JOIN watched_class AS w ON w.class_id = o.class_id
    JOIN features.classes() AS c ON c.class_id = o.class_id
    WHERE w.n_fields > 0 AND w.n_fields = w.n_watched_fields AND o.n_objects > 0
