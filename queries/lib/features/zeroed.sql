/**
 * @description Each instance field of watched objects, with what is known of it and of its class, and
 *              in how many objects it was zeroed needlessly: written before it was read.
 * @column      field_id       integer         field
 * @column      field_type     text            int, reference and so on: what the field holds
 * @column      is_final       boolean         whether it is final
 * @column      is_private     boolean         whether it is private
 * @column      is_volatile    boolean         whether it is volatile
 * @column      n_objects      integer  field  objects that have the field; the other columns are those of features.classes
 * @column      n_zeroed       integer  field  objects in which it was zeroed needlessly
 */
CREATE MACRO features.zeroed() AS TABLE
    SELECT z.field_id,
           CASE f.descriptor[1]
               WHEN 'Z' THEN 'boolean' WHEN 'B' THEN 'byte' WHEN 'C' THEN 'char'
               WHEN 'S' THEN 'short' WHEN 'I' THEN 'int' WHEN 'J' THEN 'long'
               WHEN 'F' THEN 'float' WHEN 'D' THEN 'double' ELSE 'reference'
           END AS field_type,
           f.access_flags & 16 > 0 AS is_final,    -- ACC_FINAL
           f.access_flags & 2 > 0 AS is_private,   -- ACC_PRIVATE
           f.access_flags & 64 > 0 AS is_volatile, -- ACC_VOLATILE
           c.*,
           z.n_objects,
           z.n_written_first AS n_zeroed
    FROM field_zeroing AS z
    JOIN run.field AS f ON f.field_id = z.field_id
    JOIN features.classes() AS c ON c.class_id = f.class_id
    WHERE z.n_objects > 0
