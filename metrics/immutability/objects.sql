/**
 * @id           immutability.objects
 * @name         Immutable objects and classes
 * @description  Watched objects whose fields are all immutable, and classes of which this is true of
 *               all watched objects. An object with a virgin field is not immutable, even if
 *               nothing was written. Objects without fields, and those with a field that is not
 *               watched, are counted apart.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_objects                integer  object  watched objects with fields that are all watched
 * @column       n_immutable              integer  object  of these, objects whose fields are all immutable
 * @column       n_mutable                integer  object  of these, objects with a mutable field
 * @column       immutable_share          number   1       n_immutable as a share of n_objects
 * @column       n_without_fields         integer  object  watched objects without fields
 * @column       n_partly_watched         integer  object  watched objects with a field that is not watched
 * @column       n_classes                integer  class   classes of the objects in n_objects
 * @column       n_immutable_classes      integer  class   of these, classes whose objects in n_objects are all immutable
 * @column       immutable_classes_share  number   1       n_immutable_classes as a share of n_classes
 * @sums         n_objects n_immutable n_mutable n_without_fields n_partly_watched
 * @shares       immutable_share immutable_classes_share
 * @levels       n_classes n_immutable_classes
 * @better       none
 * @requires     object_immutability, watched_class
 * @import       stats
 * @source       METRICS immutability; Sarimbekov et al. 2013, Table 1, section 2.2.1 and Figure 2
 * @tags         immutability objects paper
 */
WITH known AS (
    SELECT o.*, w.n_fields > 0 AND w.n_fields = w.n_watched_fields AS is_known, w.n_fields
    FROM object_immutability AS o JOIN watched_class AS w USING (class_id)
),
counted AS (
    SELECT COALESCE(SUM(n_objects) FILTER (WHERE is_known), 0)::BIGINT AS n_objects,
           COALESCE(SUM(n_immutable) FILTER (WHERE is_known), 0)::BIGINT AS n_immutable,
           COALESCE(SUM(n_mutable) FILTER (WHERE is_known), 0)::BIGINT AS n_mutable,
           COALESCE(SUM(n_objects) FILTER (WHERE n_fields = 0), 0)::BIGINT AS n_without_fields,
           COALESCE(SUM(n_objects) FILTER (WHERE n_fields > 0 AND NOT is_known), 0)::BIGINT
               AS n_partly_watched,
           (COUNT(*) FILTER (WHERE is_known))::BIGINT AS n_classes,
           (COUNT(*) FILTER (WHERE is_known AND n_immutable = n_objects))::BIGINT
               AS n_immutable_classes
    FROM known
)
SELECT n_objects,
       n_immutable,
       n_mutable,
       stats.share(n_immutable, n_objects) AS immutable_share,
       n_without_fields,
       n_partly_watched,
       n_classes,
       n_immutable_classes,
       stats.share(n_immutable_classes, n_classes) AS immutable_classes_share
FROM counted
