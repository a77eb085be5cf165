/**
 * @id           sharing.objects
 * @name         Shared objects
 * @description  Watched objects that several threads access. A field is read-shared if two or more
 *               threads read it and only the allocating thread wrote it, and write-shared if two or
 *               more threads wrote it. An object is fully shared if all of its fields are, and
 *               partially if some are and some are not. The writes of constructors count; the zeros
 *               that objects are made with do not. Objects without fields, and those with a field
 *               that is not watched, are counted apart. Accesses by reflection, handles, atomic
 *               updaters and Unsafe count like those by bytecode. Accesses by native code, the VM
 *               and its own threads are not seen.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_objects                  integer  object  watched objects with fields that are all watched
 * @column       n_partially_read_shared    integer  object  of these, objects of which some fields are read-shared
 * @column       n_fully_read_shared        integer  object  of these, objects of which all fields are read-shared
 * @column       n_partially_write_shared   integer  object  of these, objects of which some fields are write-shared
 * @column       n_fully_write_shared       integer  object  of these, objects of which all fields are write-shared
 * @column       partially_read_share       number   1       n_partially_read_shared as a share of n_objects
 * @column       fully_read_share           number   1       n_fully_read_shared as a share of n_objects
 * @column       partially_write_share      number   1       n_partially_write_shared as a share of n_objects
 * @column       fully_write_share          number   1       n_fully_write_shared as a share of n_objects
 * @column       n_without_fields           integer  object  watched objects without fields
 * @column       n_partly_watched           integer  object  watched objects with a field that is not watched
 * @sums         n_objects n_partially_read_shared n_fully_read_shared n_partially_write_shared
 *               n_fully_write_shared n_without_fields n_partly_watched
 * @shares       partially_read_share fully_read_share partially_write_share fully_write_share
 * @better       none
 * @requires     object_sharing, watched_class
 * @import       stats
 * @source       METRICS sharing; Sarimbekov et al. 2013, Table 1 and section 2.2.1
 * @tags         sharing objects concurrency paper
 */
WITH known AS (
    SELECT o.*, w.n_fields > 0 AND w.n_fields = w.n_watched_fields AS is_known, w.n_fields
    FROM object_sharing AS o JOIN watched_class AS w USING (class_id)
),
counted AS (
    SELECT COALESCE(SUM(n_objects) FILTER (WHERE is_known), 0)::BIGINT AS n_objects,
           COALESCE(SUM(n_partially_read_shared) FILTER (WHERE is_known), 0)::BIGINT
               AS n_partially_read_shared,
           COALESCE(SUM(n_fully_read_shared) FILTER (WHERE is_known), 0)::BIGINT
               AS n_fully_read_shared,
           COALESCE(SUM(n_partially_write_shared) FILTER (WHERE is_known), 0)::BIGINT
               AS n_partially_write_shared,
           COALESCE(SUM(n_fully_write_shared) FILTER (WHERE is_known), 0)::BIGINT
               AS n_fully_write_shared,
           COALESCE(SUM(n_objects) FILTER (WHERE n_fields = 0), 0)::BIGINT AS n_without_fields,
           COALESCE(SUM(n_objects) FILTER (WHERE n_fields > 0 AND NOT is_known), 0)::BIGINT
               AS n_partly_watched
    FROM known
)
SELECT n_objects,
       n_partially_read_shared,
       n_fully_read_shared,
       n_partially_write_shared,
       n_fully_write_shared,
       stats.share(n_partially_read_shared, n_objects) AS partially_read_share,
       stats.share(n_fully_read_shared, n_objects) AS fully_read_share,
       stats.share(n_partially_write_shared, n_objects) AS partially_write_share,
       stats.share(n_fully_write_shared, n_objects) AS fully_write_share,
       n_without_fields,
       n_partly_watched
FROM counted
