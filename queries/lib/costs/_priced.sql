/**
 * @description What some invokes or returns cost beyond costs.blocks.
 * @param       cache     text     as that of costs.calls
 * @param       n         integer  how many
 * @param       n_misses  integer  of these, those whose method the recorded cache did not have
 * @param       hit       integer  cycles of one whose method the cache has
 * @param       miss      integer  cycles of one whose method is loaded
 * @returns     integer
 */
CREATE MACRO costs._priced(cache, n, n_misses, hit, miss) AS (
    CASE cache
        WHEN 'none' THEN n * miss
        WHEN 'perfect' THEN n * hit
        WHEN 'recorded' THEN
            CASE WHEN (SELECT is_recorded FROM cache_source)
                 THEN (n - COALESCE(n_misses, 0)) * hit + COALESCE(n_misses, 0) * miss
                 ELSE error('no method cache was recorded: record again with --method-cache')
            END
        ELSE error('cache is none, perfect or recorded, not ' || cache)
    END
)
