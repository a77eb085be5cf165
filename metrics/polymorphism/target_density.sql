/**
 * @id           polymorphism.target_density
 * @name         Share of polymorphic call sites, by target
 * @description  Polymorphic call sites, that is, dynamically dispatched sites with two or more
 *               target methods, and the calls made through them, as shares of all dynamically
 *               dispatched sites that called at least once. polymorphism.targets has the number of
 *               sites for each number of targets.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_call_sites              integer  call_site  dynamically dispatched sites that called
 * @column       n_polymorphic_call_sites  integer  call_site  sites with two or more targets
 * @column       call_sites_share          number   1          polymorphic sites as a share of all
 * @column       n_calls                   integer  call       calls through all of these sites
 * @column       n_polymorphic_calls       integer  call       calls through polymorphic sites
 * @column       calls_share               number   1          share of n_polymorphic_calls
 * @sums         n_calls
 * @shares       call_sites_share calls_share
 * @levels       n_call_sites n_polymorphic_call_sites n_polymorphic_calls
 * @overview     120 call_sites_share dispatched call sites with several targets
 * @overview     130 calls_share dispatched calls from sites with several targets
 * @better       none
 * @requires     context, call_site, back_edge
 * @import       dispatch
 * @import       stats
 * @source       Dufour et al. 2003 (*J) polymorphism.targetPolyDensity,
 *               polymorphism.targetPolyDensityCalls
 * @tags         polymorphism dispatch starj
 */
WITH counted AS (
    SELECT COUNT(*) AS n_call_sites,
           COUNT(*) FILTER (WHERE n_targets > 1) AS n_polymorphic_call_sites,
           COALESCE(SUM(n_calls), 0)::BIGINT AS n_calls,
           COALESCE(SUM(n_calls) FILTER (WHERE n_targets > 1), 0)::BIGINT AS n_polymorphic_calls
    FROM dispatch.sites()
)
SELECT n_call_sites,
       n_polymorphic_call_sites,
       stats.share(n_polymorphic_call_sites, n_call_sites) AS call_sites_share,
       n_calls,
       n_polymorphic_calls,
       stats.share(n_polymorphic_calls, n_calls) AS calls_share
FROM counted
