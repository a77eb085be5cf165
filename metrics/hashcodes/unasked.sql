/**
 * @id           hashcodes.unasked
 * @name         Objects that nobody asked for their hash codes
 * @description  Objects and arrays that the program allocated, and how many of them received no call
 *               of each kind of hashcodes.calls: the bin 0 of hashcodes.distribution. Objects that
 *               the VM makes without a constructor, such as string literals and Class objects, and
 *               those made before --from are not among the allocated. Those of them that are asked
 *               are subtracted, at most as many as were allocated of the type: n_unasked may be
 *               too small, but only calls that are not seen make it too large. A scope selects
 *               objects by their class, not by who allocates or asks.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       kind           text             overridden, identity or default
 * @column       n_allocated    integer  object  objects allocated, the same for each kind
 * @column       n_unasked      integer  object  those that received no call of the kind
 * @column       unasked_share  number   1       share of the objects allocated
 * @levels       n_allocated n_unasked
 * @shares       unasked_share
 * @plot         bar kind unasked_share
 * @better       none
 * @requires     object_hash, allocation, class
 * @import       stats
 * @source       METRICS hashcodes; Sarimbekov et al. 2013, section 2.2.2
 * @tags         hashcodes objects paper
 */
WITH outside AS (
    SELECT class_id FROM run.class ANTI JOIN loaded_class USING (class_id)
),
allocated AS (
    SELECT type, SUM(n_objects)::BIGINT AS n_objects
    FROM run.allocation
    WHERE class_id NOT IN (FROM outside)
       OR class_id IS NULL AND NOT EXISTS (FROM outside)
    GROUP BY type
),
asked AS (
    SELECT kind::VARCHAR AS kind, type, SUM(n_objects)::BIGINT AS n_objects
    FROM object_hash
    GROUP BY ALL
),
counted AS (
    SELECT kinds.kind,
           COALESCE(SUM(allocated.n_objects), 0)::BIGINT AS n_allocated,
           COALESCE(
               SUM(greatest(allocated.n_objects - COALESCE(asked.n_objects, 0), 0)), 0
           )::BIGINT AS n_unasked
    FROM (SELECT UNNEST(['default', 'identity', 'overridden']) AS kind) AS kinds
    LEFT JOIN allocated ON true
    LEFT JOIN asked ON asked.kind = kinds.kind AND asked.type = allocated.type
    GROUP BY kinds.kind
)
SELECT kind, n_allocated, n_unasked, stats.share(n_unasked, n_allocated) AS unasked_share
FROM counted
ORDER BY kind
