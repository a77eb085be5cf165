/**
 * @id           polymorphism.receiver_density
 * @name         Share of polymorphic call sites, by receiver
 * @description  Polymorphic call sites, that is, dynamically dispatched sites with two or more
 *               receiver classes, and the calls made through them, as shares of all dynamically
 *               dispatched sites that called at least once. All arrays are one class.
 *               polymorphism.receivers has the number of sites for each number of classes. Calls
 *               that are only counted at their site (method.coverage leaf: native methods of the
 *               class library, methods that the VM replaces) have no receiver and are left out, so
 *               a site that makes such calls, too, has fewer receiver classes here than it met.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_call_sites              integer  call_site  dynamically dispatched sites that called
 * @column       n_polymorphic_call_sites  integer  call_site  sites with several receiver classes
 * @column       call_sites_share          number   1          polymorphic sites as a share of all
 * @column       n_calls                   integer  call       calls through all of these sites
 * @column       n_polymorphic_calls       integer  call       calls through polymorphic sites
 * @column       calls_share               number   1          share of n_polymorphic_calls
 * @sums         n_calls
 * @shares       call_sites_share calls_share
 * @levels       n_call_sites n_polymorphic_call_sites n_polymorphic_calls
 * @better       none
 * @requires     receiver, context
 * @import       stats
 * @source       Dufour et al. 2003 (*J) polymorphism.receiverPolyDensity,
 *               polymorphism.receiverPolyDensityCalls
 * @tags         polymorphism dispatch starj
 */
WITH site AS (
    SELECT c.call_site_id,
           -- A null stands for arrays.
           COUNT(DISTINCT COALESCE(r.class_id, -1)) AS n_receivers,
           SUM(r.n_calls)::BIGINT AS n_calls
    FROM receiver AS r
    JOIN run.context AS c ON c.context_id = r.context_id
    GROUP BY c.call_site_id
),
counted AS (
    SELECT COUNT(*) AS n_call_sites,
           COUNT(*) FILTER (WHERE n_receivers > 1) AS n_polymorphic_call_sites,
           COALESCE(SUM(n_calls), 0)::BIGINT AS n_calls,
           COALESCE(SUM(n_calls) FILTER (WHERE n_receivers > 1), 0)::BIGINT AS n_polymorphic_calls
    FROM site
)
SELECT n_call_sites,
       n_polymorphic_call_sites,
       stats.share(n_polymorphic_call_sites, n_call_sites) AS call_sites_share,
       n_calls,
       n_polymorphic_calls,
       stats.share(n_polymorphic_calls, n_calls) AS calls_share
FROM counted
