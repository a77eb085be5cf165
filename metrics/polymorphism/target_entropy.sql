/**
 * @id           polymorphism.target_entropy
 * @name         Entropy of target methods at call sites
 * @description  How hard it is to predict the target of a dynamically dispatched call
 *               (invokevirtual, invokeinterface) from its call site: the Shannon entropy, in bits,
 *               of the site's calls over their target methods. 0 means always the same method, 1 as
 *               unpredictable as two equally frequent methods; a rare second target adds little.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_call_sites  integer  call_site  dynamically dispatched sites that called
 * @column       n_calls       integer  call       calls through them
 * @column       call_entropy  number   bit        mean entropy, weighted by calls
 * @column       site_entropy  number   bit        mean entropy of the sites
 * @column       max_entropy   number   bit        entropy of the least predictable site
 * @sums         n_calls
 * @levels       n_call_sites call_entropy site_entropy max_entropy
 * @better       none
 * @requires     context, call_site, back_edge
 * @import       dispatch
 * @import       stats
 * @source       Shannon 1948; the weighted form of polymorphism.targets
 * @tags         polymorphism dispatch
 */
WITH target AS (
    SELECT call.call_site_id, call.method_id, SUM(call.n_calls)::BIGINT AS n_calls
    FROM call_edge AS call
    JOIN run.call_site AS site ON site.call_site_id = call.call_site_id
    WHERE dispatch.is_dynamic(site.opcode)
      AND call.n_calls > 0
    GROUP BY call.call_site_id, call.method_id
),
site AS (
    SELECT LIST(n_calls) AS by_target
    FROM target
    GROUP BY call_site_id
)
SELECT n_distributions AS n_call_sites,
       n AS n_calls,
       weighted_entropy AS call_entropy,
       mean_entropy AS site_entropy,
       max_entropy
FROM stats.entropies((SELECT LIST(by_target) FROM site))
