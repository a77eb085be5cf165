/**
 * @description The rows of features.allocations whose lifetimes are known, and how many of their
 *              objects lived no longer than a nursery takes to fill. Objects that were alive when the
 *              VM ended are not among these.
 * @param       nursery        integer          size of the nursery, in bytes
 * @column      n_objects      integer  object  objects with known lifetimes; the other columns are those of features.allocations
 * @column      n_short_lived  integer  object  those that died within the nursery
 */
CREATE MACRO features.short_lived(nursery) AS TABLE
    WITH lived AS (
        SELECT context_id,
               instruction_id,
               type,
               class_id,
               SUM(n_objects)::BIGINT AS n_objects,
               COALESCE(SUM(n_objects) FILTER (WHERE lifetime_bytes <= nursery), 0)::BIGINT
                   AS n_short_lived
        FROM object_lifetime
        GROUP BY ALL
    )
    SELECT made.* REPLACE (lived.n_objects AS n_objects), lived.n_short_lived
    FROM lived
    JOIN features.allocations() AS made
      ON made.context_id = lived.context_id
     AND made.instruction_id IS NOT DISTINCT FROM lived.instruction_id
     AND made.type = lived.type
     AND made.class_id IS NOT DISTINCT FROM lived.class_id
