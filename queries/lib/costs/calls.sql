/**
 * @description What the invokes of the scope's contexts cost beyond costs.blocks, by the size of
 *              the called method: one row for each edge of the tree. What the VM calls by itself
 *              takes no invoke, and has no row.
 * @param       cache  text  none: every method is loaded; perfect: the cache has every method;
 *                           recorded: as the cache did that record --method-cache simulated
 * @column      context_id    integer         calling context
 * @column      callee_id     integer         called context
 * @column      call_site_id  integer         call site
 * @column      method_id     integer         called method
 * @column      n_calls       integer  call   calls
 * @column      cycles        integer  cycle  of all these calls
 */
CREATE MACRO costs.calls(cache) AS TABLE
    SELECT call.parent_id AS context_id,
           call.context_id AS callee_id,
           call.call_site_id,
           call.method_id,
           call.n_calls,
           costs._priced(
               cache, call.n_calls, event.n_call_misses, cost.hit_cycles, cost.miss_cycles
           ) AS cycles
    FROM call
    JOIN run.call_site AS site ON site.call_site_id = call.call_site_id
    JOIN costs._callees() AS callee ON callee.method_id = call.method_id
    JOIN transfer_cost AS cost
        ON cost.opcode = site.opcode AND cost.size_bytes = callee.size_bytes
    LEFT JOIN cache_event AS event
        ON cache = 'recorded' AND event.context_id = call.context_id
