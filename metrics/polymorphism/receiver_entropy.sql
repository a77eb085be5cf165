/**
 * @id           polymorphism.receiver_entropy
 * @name         Entropy of receiver classes at call sites
 * @description  How hard it is to predict the receiver class of a dynamically dispatched call
 *               (invokevirtual, invokeinterface) from its call site: the Shannon entropy, in bits,
 *               of the site's calls over their receiver classes. 0 means always the same class, 1
 *               as unpredictable as two equally frequent classes; a rare second class adds little.
 *               All arrays are one class. Calls that are only counted at their site
 *               (method.coverage leaf: native methods of the class library, methods that the VM
 *               replaces) have no receiver and are left out, so a site that makes such calls, too,
 *               has fewer receiver classes here than it met.
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
 * @requires     context, receiver
 * @import       stats
 * @source       Shannon 1948; the weighted form of polymorphism.receivers
 * @tags         polymorphism dispatch
 */
WITH received AS (
    SELECT node.call_site_id, SUM(receiver.n_calls)::BIGINT AS n_calls
    FROM receiver
    JOIN run.context AS node ON node.context_id = receiver.context_id
    GROUP BY node.call_site_id, receiver.class_id  -- null: arrays
),
site AS (
    SELECT LIST(n_calls) AS by_receiver
    FROM received
    GROUP BY call_site_id
)
SELECT n_distributions AS n_call_sites,
       n AS n_calls,
       weighted_entropy AS call_entropy,
       mean_entropy AS site_entropy,
       max_entropy
FROM stats.entropies((SELECT LIST(by_receiver) FROM site))
