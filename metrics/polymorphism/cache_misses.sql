/**
 * @id           polymorphism.cache_misses
 * @name         Misses of one-entry caches at call sites
 * @description  Of the calls by invokevirtual and invokeinterface: those whose receiver class is
 *               not that of the call before at the same site and in the same thread (an inline
 *               cache), and those whose target method is not (an ideal branch target buffer). A
 *               site's first call in a thread is a miss of both. Calls that are counted at
 *               their site alone (method.coverage leaf: natives of the class library, methods that
 *               the VM replaces) are not in it.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_calls             integer  call  calls
 * @column       n_receiver_misses   integer  call  calls that missed by receiver class
 * @column       n_target_misses     integer  call  calls that missed by target method
 * @column       receiver_miss_rate  number   1     n_receiver_misses of the calls
 * @column       target_miss_rate    number   1     n_target_misses of the calls
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
