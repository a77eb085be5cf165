/**
 * @id           zeroing.fields
 * @name         Needless zeroing
 * @description  Instance fields of watched objects by their first access, counted once per object.
 *               If the first access is a write, the zero that the object was made with was
 *               needless. Accesses by reflection, handles, atomic updaters and Unsafe count like those by
 *               bytecode; a compareAndSet reads first. Accesses by native code and the VM are not
 *               seen.
 * @kind         metric
 * @version      2
 * @grain        bin
 * @column       type            text            all, primitive or reference: what the fields hold
 * @column       n_fields        integer  field  fields of all watched objects
 * @column       n_needless      integer  field  fields that were written first
 * @column       n_needed        integer  field  fields that were read first
 * @column       n_unaccessed    integer  field  fields that were never accessed
 * @column       needless_share  number   1      n_needless as a share of n_fields
 * @shares       needless_share
 * @levels       n_fields n_needless n_needed n_unaccessed
 * @better       none
 * @requires     field_zeroing, field
 * @import       stats
 * @source       METRICS zeroing; Sarimbekov et al. 2013, Table 1 and section 2.2.2
 * @tags         zeroing objects paper
 */
-- Summed before the join, which DuckDB 2.0.0 else ends in an internal error ("dict-surviving cache").
WITH typed AS (
    SELECT CASE WHEN f.descriptor[1] IN ('L', '[') THEN 'reference' ELSE 'primitive' END AS holds,
           SUM(z.n_objects) AS n_objects,
           SUM(z.n_written_first) AS n_written_first,
           SUM(z.n_read_first) AS n_read_first
    FROM field_zeroing AS z JOIN run.field AS f USING (field_id)
    GROUP BY holds
),
counted AS (
    SELECT c.type,
           COALESCE(SUM(t.n_objects), 0)::BIGINT AS n_fields,
           COALESCE(SUM(t.n_written_first), 0)::BIGINT AS n_needless,
           COALESCE(SUM(t.n_read_first), 0)::BIGINT AS n_needed
    FROM (VALUES ('all'), ('primitive'), ('reference')) AS c (type)
    LEFT JOIN typed AS t ON c.type IN ('all', t.holds)
    GROUP BY c.type
)
SELECT type,
       n_fields,
       n_needless,
       n_needed,
       n_fields - n_needless - n_needed AS n_unaccessed,
       stats.share(n_needless, n_fields) AS needless_share
FROM counted
ORDER BY type
