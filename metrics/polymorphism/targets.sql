/**
 * @id           polymorphism.targets
 * @name         Target polymorphism of call sites
 * @description  For each number of distinct target methods: the dynamically dispatched call sites
 *               (invokevirtual, invokeinterface) with that number, and the calls made through them.
 *               A site counts if it called at least once.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       n_targets         integer            distinct target methods of a call site
 * @column       n_call_sites      integer  call_site  call sites with that many targets
 * @column       call_sites_share  number   1          share of all dynamically dispatched sites
 * @column       n_calls           integer  call       calls made through these sites
 * @column       calls_share       number   1          share of all dynamically dispatched calls
 * @sums         n_call_sites n_calls
 * @shares       call_sites_share calls_share
 * @plot         bar n_targets calls_share
 * @better       none
 * @requires     context, call_site, back_edge
 * @import       dispatch
 * @import       stats
 * @source       METRICS polymorphism.targets; Sarimbekov et al. 2013, Table 1
 * @tags         polymorphism dispatch paper starj
 */
SELECT n_targets,
       COUNT(*) AS n_call_sites,
       stats.share(COUNT(*), SUM(COUNT(*)) OVER ()) AS call_sites_share,
       SUM(n_calls)::BIGINT AS n_calls,
       stats.share(SUM(n_calls), SUM(SUM(n_calls)) OVER ()) AS calls_share
FROM dispatch.sites()
GROUP BY n_targets
ORDER BY n_targets
