/**
 * @id           polymorphism.receiver_entropy
 * @name         Entropy of receiver classes at call sites
 * @description  How hard it is to predict the receiver class of a dynamically dispatched call
 *               (invokevirtual, invokeinterface) from its call site: the Shannon entropy, in bits,
 *               of the site's calls over their receiver classes. 0 means always the same class, 1
 *               as unpredictable as two equally frequent classes; a rare second class adds little.
 *               All arrays are one class. Calls that are only counted at their site
 *               (method.coverage leaf) have no receiver and are left out.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_call_sites  integer  call_site  dynamically dispatched sites that called
 * @column       n_calls       integer  call       calls through them
 * @column       call_entropy  number   bit        mean entropy, weighted by calls
 * @column       site_entropy  number   bit        mean entropy of the sites
 * @column       max_entropy   number   bit        entropy of the least predictable site
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
    GROUP BY node.call_site_id, COALESCE(receiver.class_id, -1)  -- null: arrays
),
site AS (
    SELECT SUM(n_calls)::BIGINT AS n_calls, stats.entropy(LIST(n_calls)) AS entropy
    FROM received
    GROUP BY call_site_id
)
SELECT COUNT(*) AS n_call_sites,
       COALESCE(SUM(n_calls), 0)::BIGINT AS n_calls,
       stats.share(SUM(n_calls * entropy ORDER BY n_calls, entropy), SUM(n_calls)) AS call_entropy,
       stats.share(SUM(entropy ORDER BY entropy), COUNT(*)) AS site_entropy,
       MAX(entropy) AS max_entropy
FROM site
