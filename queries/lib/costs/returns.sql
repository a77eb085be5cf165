/**
 * @description What the returns of the scope's contexts cost beyond costs.blocks, by the size of
 *              the method that goes on: one row for each edge of the tree into a context with
 *              code. Every call counts as one return, also one that ended by an exception: then
 *              the method that catches is loaded. What the VM called at the root returns to no
 *              method.
 * @param       cache  text  as that of costs.calls
 * @column      context_id    integer         context that returns
 * @column      call_site_id  integer         call site that it returns to
 * @column      method_id     integer         its method
 * @column      n_calls       integer  call   its calls
 * @column      cycles        integer  cycle  of all these returns
 */
CREATE MACRO costs.returns(cache) AS TABLE
    SELECT entry.context_id,
           entry.call_site_id,
           entry.method_id,
           entry.n_calls,
           costs._priced(
               cache,
               COALESCE(event.n_returns, entry.n_calls),
               event.n_return_misses,
               cost.hit_cycles,
               cost.miss_cycles
           ) AS cycles
    FROM costs._entries() AS entry
    JOIN costs._callees() AS callee ON callee.method_id = entry.method_id
    LEFT JOIN run.call_site AS site ON site.call_site_id = entry.call_site_id
    LEFT JOIN run.method AS caller ON caller.method_id = site.caller_id
    LEFT JOIN cct.code_above() AS above
        ON cache = 'recorded' AND above.context_id = entry.context_id
    JOIN transfer_cost AS cost
        ON cost.opcode = callee.return_opcode
        AND cost.size_bytes = COALESCE(above.size_bytes, caller.size_bytes, 0)
    LEFT JOIN cache_event AS event
        ON cache = 'recorded' AND event.context_id = entry.context_id
