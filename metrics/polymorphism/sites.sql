/**
 * @id           polymorphism.sites
 * @name         Targets of each call site
 * @description  For each dynamically dispatched call site (invokevirtual, invokeinterface) that
 *               called at least once: its distinct target methods, and the calls made through it.
 * @kind         table
 * @version      1
 * @grain        call_site
 * @column       call_site_id  integer            call site
 * @column       n_targets     integer  method    distinct target methods
 * @column       n_calls       integer  call      calls made through it
 * @sums         n_calls
 * @levels       n_targets
 * @overview     250 rows
 * @better       none
 * @param        min_targets integer 1 leave out sites with fewer targets
 * @requires     context, call_site, back_edge
 * @import       dispatch
 * @source       METRICS polymorphism.targets, the number for each call site
 * @tags         polymorphism dispatch paper
 */
SELECT call_site_id, n_targets, n_calls
FROM dispatch.sites()
WHERE n_targets >= $min_targets
ORDER BY call_site_id
