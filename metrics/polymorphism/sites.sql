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
 * @better       none
 * @param        min_targets integer 1 leave out sites with fewer targets
 * @requires     context, call_site, back_edge
 * @source       METRICS polymorphism.targets, the number for each call site
 * @tags         polymorphism dispatch
 */
SELECT call.call_site_id,
       COUNT(DISTINCT call.method_id) AS n_targets,
       SUM(call.n_calls)::BIGINT AS n_calls
FROM call
JOIN call_site USING (call_site_id)
WHERE call_site.opcode IN ('invokevirtual', 'invokeinterface')
  AND call.n_calls > 0
GROUP BY call.call_site_id
HAVING COUNT(DISTINCT call.method_id) >= $min_targets
ORDER BY call.call_site_id
