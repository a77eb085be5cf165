/**
 * @description What each context of the scope allocated itself, without its callees. The root of a
 *              thread has what the VM allocated while no method was executed.
 * @column      context_id  integer          context that allocated
 * @column      n_objects   integer  object  objects, with arrays
 * @column      n_bytes     integer  byte    bytes of those of known size
 */
CREATE MACRO allocated.contexts() AS TABLE
    SELECT context_id,
           SUM(n_objects)::BIGINT AS n_objects,
           COALESCE(SUM(n_objects * size_bytes), 0)::BIGINT AS n_bytes
    FROM allocation
    GROUP BY context_id
