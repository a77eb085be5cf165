/**
 * @id           hashcodes.calls
 * @name         Calls for hash codes
 * @description  Calls for hash codes by what they reach: a hashCode that a class overrides
 *               (overridden), System.identityHashCode (identity), or the hashCode of Object, not
 *               overridden or called by super (default); and the objects that received such calls.
 *               Calls of the last two by reflection, method handles and native code are not seen. A
 *               scope selects objects by their class, not by who asks: a String that the
 *               application asks is of the JDK, so the scope application leaves it out.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       kind         text             overridden, identity or default
 * @column       n_calls      integer  call    calls
 * @column       calls_share  number   1       share of the calls of all kinds
 * @column       n_objects    integer  object  objects that received one
 * @column       mean_calls   number   call    calls per such object
 * @sums         n_calls
 * @shares       calls_share
 * @levels       n_objects mean_calls
 * @plot         bar kind n_calls
 * @better       none
 * @requires     object_hash
 * @import       stats
 * @source       METRICS hashcodes; Sarimbekov et al. 2013, Table 1 and section 2.2.2
 * @tags         hashcodes objects paper
 */
WITH kinds AS (
    SELECT UNNEST(['default', 'identity', 'overridden']) AS kind
),
counted AS (
    SELECT kinds.kind,
           COALESCE(SUM(hashed.n_calls), 0)::BIGINT AS n_calls,
           COALESCE(SUM(hashed.n_objects), 0)::BIGINT AS n_objects
    FROM kinds
    LEFT JOIN object_hash AS hashed ON hashed.kind::VARCHAR = kinds.kind
    GROUP BY kinds.kind
)
SELECT kind,
       n_calls,
       stats.share(n_calls, SUM(n_calls) OVER ()) AS calls_share,
       n_objects,
       n_calls / NULLIF(n_objects, 0) AS mean_calls
FROM counted
ORDER BY kind
