/**
 * @id           sharing.needless
 * @name         Needless locks
 * @description  Watched objects that were locked though they need no lock: they are immutable, as
 *               immutability.objects defines it, or none of their fields is shared, as
 *               sharing.objects does. Objects without fields, those with a field that is not
 *               watched, and those that are not watched themselves, as Class objects and arrays, are
 *               counted apart: what their locks protect is elsewhere, or not known. A scope selects
 *               objects by their class, not by who locks them.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_locked          integer  object  locked objects with fields that are all watched
 * @column       n_immutable       integer  object  of these, objects whose fields are all immutable
 * @column       n_unshared        integer  object  of these, objects without a shared field
 * @column       n_needless        integer  object  of these, objects that are either
 * @column       needless_share    number   1       n_needless as a share of n_locked
 * @column       n_without_fields  integer  object  locked objects without fields, if they are watched
 * @column       n_partly_watched  integer  object  locked objects with a field that is not watched
 * @column       n_unwatched       integer  object  locked objects that are not watched
 * @sums         n_locked n_immutable n_unshared n_needless n_without_fields n_partly_watched
 *               n_unwatched
 * @shares       needless_share
 * @better       none
 * @requires     needless_lock, watched_class, object_lock
 * @import       stats
 * @source       METRICS sharing
 * @tags         sharing locking objects concurrency
 */
WITH known AS (
    SELECT n.*, w.n_fields > 0 AND w.n_fields = w.n_watched_fields AS is_known, w.n_fields
    FROM needless_lock AS n JOIN watched_class AS w USING (class_id)
),
every AS (
    SELECT COALESCE(SUM(n_objects), 0)::BIGINT AS n_all
    FROM object_lock
),
counted AS (
    SELECT COALESCE(SUM(n_locked), 0)::BIGINT AS n_watched,
           COALESCE(SUM(n_locked) FILTER (WHERE is_known), 0)::BIGINT AS n_locked,
           COALESCE(SUM(n_immutable) FILTER (WHERE is_known), 0)::BIGINT AS n_immutable,
           COALESCE(SUM(n_unshared) FILTER (WHERE is_known), 0)::BIGINT AS n_unshared,
           COALESCE(SUM(n_immutable_unshared) FILTER (WHERE is_known), 0)::BIGINT AS n_both,
           COALESCE(SUM(n_locked) FILTER (WHERE n_fields = 0), 0)::BIGINT AS n_without_fields,
           COALESCE(SUM(n_locked) FILTER (WHERE n_fields > 0 AND NOT is_known), 0)::BIGINT
               AS n_partly_watched
    FROM known
)
SELECT n_locked,
       n_immutable,
       n_unshared,
       n_immutable + n_unshared - n_both AS n_needless,
       stats.share(n_immutable + n_unshared - n_both, n_locked) AS needless_share,
       n_without_fields,
       n_partly_watched,
       n_all - n_watched AS n_unwatched
FROM counted, every
