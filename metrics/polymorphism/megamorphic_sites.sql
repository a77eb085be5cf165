/**
 * @id           polymorphism.megamorphic_sites
 * @name         Megamorphic call sites by their calls
 * @description  Dynamically dispatched call sites (invokevirtual, invokeinterface) with many target
 *               methods, those with the most calls first. Dispatch is most expensive at these
 *               sites, because compilers inline one or two targets, and dispatch by table if there
 *               are more.
 * @kind         table
 * @version      1
 * @grain        call_site
 * @column       call_site_id  integer            call site
 * @column       n_targets     integer  method    distinct target methods
 * @column       n_calls       integer  call      calls made through it
 * @column       calls_share   number   1         share of all dynamically dispatched calls
 * @sums         n_calls
 * @shares       calls_share
 * @levels       n_targets
 * @better       none
 * @param        min_targets integer 3 leave out sites with fewer targets
 * @requires     context, call_site, back_edge
 * @import       dispatch
 * @import       stats
 * @source       polymorphism.sites, in the order of calls; Hölzle et al. 1991 for the term
 * @tags         polymorphism dispatch
 */
WITH site AS (
    SELECT call_site_id, n_targets, n_calls, SUM(n_calls) OVER () AS n_all_calls
    FROM dispatch.sites()
)
SELECT call_site_id,
       n_targets,
       n_calls,
       stats.share(n_calls, n_all_calls) AS calls_share
FROM site
WHERE n_targets >= $min_targets
ORDER BY n_calls DESC, call_site_id
