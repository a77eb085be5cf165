/**
 * @id           polymorphism.cache_misses
 * @name         Misses of one-entry caches at call sites
 * @description  Calls by invokevirtual and invokeinterface that would miss a cache of one entry at
 *               their call site, per thread: an inline cache misses if the receiver class differs
 *               from that of the call before, and an ideal branch target buffer if the target
 *               method differs. A site's first call in a thread misses both. Calls that are only
 *               counted at their site (method.coverage leaf: native methods of the class library,
 *               methods that the VM replaces) are left out, as if they had not happened, which can
 *               hide a miss.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_calls             integer  call  calls
 * @column       n_receiver_misses   integer  call  calls that missed by receiver class
 * @column       n_target_misses     integer  call  calls that missed by target method
 * @column       receiver_miss_rate  number   1     n_receiver_misses as a share of the calls
 * @column       target_miss_rate    number   1     n_target_misses as a share of the calls
 * @sums         n_calls
 * @shares       receiver_miss_rate target_miss_rate
 * @levels       n_receiver_misses n_target_misses
 * @better       none
 * @requires     call_order
 * @import       stats
 * @source       METRICS, metrics that depend on order; Dufour et al. 2003 (*J)
 *               polymorphism.receiverCacheMissRate, polymorphism.targetCacheMissRate, whose caches
 *               all threads share
 * @tags         polymorphism dispatch order starj
 */
WITH counted AS (
    SELECT COALESCE(SUM(n_calls), 0)::BIGINT AS n_calls,
           COALESCE(SUM(n_receiver_misses), 0)::BIGINT AS n_receiver_misses,
           COALESCE(SUM(n_target_misses), 0)::BIGINT AS n_target_misses
    FROM call_order
)
SELECT n_calls,
       n_receiver_misses,
       n_target_misses,
       stats.share(n_receiver_misses, n_calls) AS receiver_miss_rate,
       stats.share(n_target_misses, n_calls) AS target_miss_rate
FROM counted
