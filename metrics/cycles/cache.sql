/**
 * @id           cycles.cache
 * @name         Method cache
 * @description  Hits and misses of the method cache that was simulated during the recording: for
 *               calls, whether the called method was in the cache; for returns, the method that
 *               continues; for exceptions, the method that catches; and the size of the code that
 *               misses loaded. Each thread has its own cache. Returns to the root of a thread do
 *               not use the cache.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_call_hits      integer  call       calls of a method in the cache
 * @column       n_call_misses    integer  call       calls of a method to be loaded
 * @column       n_return_hits    integer  call       returns to a method in the cache
 * @column       n_return_misses  integer  call       returns to a method to be loaded
 * @column       n_catch_hits     integer  exception  exceptions caught by a method in the cache
 * @column       n_catch_misses   integer  exception  exceptions caught by a method to be loaded
 * @column       miss_share       number   1          misses as a share of hits and misses
 * @column       loaded_bytes     integer  byte       code size of methods, at each load
 * @sums         n_call_hits n_call_misses n_return_hits n_return_misses n_catch_hits n_catch_misses
 *               loaded_bytes
 * @shares       miss_share
 * @better       none
 * @requires     method_cache, method, call_site, context, unfolded
 * @import       cct
 * @source       METRICS cycles; Binder et al. 2008 (CProf), section 7
 * @tags         cycles cache
 */
WITH event AS (
    SELECT cache.n_call_hits, cache.n_call_misses, cache.n_return_hits, cache.n_return_misses,
           cache.n_catch_hits, cache.n_catch_misses,
           (cache.n_call_misses + cache.n_catch_misses) * method.size_bytes
               + cache.n_return_misses * COALESCE(above.size_bytes, caller.size_bytes, 0)
               AS loaded_bytes
    FROM method_cache AS cache
    JOIN context ON context.context_id = cache.context_id
    JOIN method ON method.method_id = context.method_id
    LEFT JOIN call_site AS site ON site.call_site_id = context.call_site_id
    LEFT JOIN method AS caller ON caller.method_id = site.caller_id
    LEFT JOIN cct.code_above() AS above ON above.context_id = cache.context_id
),
total AS (
    SELECT COALESCE(SUM(n_call_hits), 0) AS n_call_hits,
           COALESCE(SUM(n_call_misses), 0) AS n_call_misses,
           COALESCE(SUM(n_return_hits), 0) AS n_return_hits,
           COALESCE(SUM(n_return_misses), 0) AS n_return_misses,
           COALESCE(SUM(n_catch_hits), 0) AS n_catch_hits,
           COALESCE(SUM(n_catch_misses), 0) AS n_catch_misses,
           COALESCE(SUM(loaded_bytes), 0) AS loaded_bytes
    FROM event
)
SELECT n_call_hits, n_call_misses, n_return_hits, n_return_misses, n_catch_hits, n_catch_misses,
       (n_call_misses + n_return_misses + n_catch_misses)::DOUBLE
           / NULLIF(
               n_call_hits + n_call_misses + n_return_hits + n_return_misses
                   + n_catch_hits + n_catch_misses,
               0
           ) AS miss_share,
       loaded_bytes
FROM total
