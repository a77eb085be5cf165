/**
 * @description What the returns of the scope's contexts cost beyond costs.blocks: costs.returns,
 *              summed by call site and returning method.
 * @param       cache  text  as that of costs.calls
 * @column      call_site_id  integer         call site that it returns to; null: the VM called
 * @column      method_id     integer         returning method
 * @column      opcode        text            its return
 * @column      n_calls       integer  call   its calls
 * @column      cycles        integer  cycle  of all these returns
 */
CREATE MACRO costs.return_edges(cache) AS TABLE
    WITH edge AS (
        SELECT entry.call_site_id,
               entry.method_id,
               above.size_bytes,
               SUM(entry.n_calls)::BIGINT AS n_calls,
               SUM(COALESCE(event.n_returns, entry.n_calls))::BIGINT AS n_returns,
               SUM(event.n_return_misses)::BIGINT AS n_misses
        FROM costs._entries() AS entry
        LEFT JOIN cache_event AS event
            ON cache = 'recorded' AND event.context_id = entry.context_id
        LEFT JOIN cct.code_above() AS above
            ON cache = 'recorded' AND above.context_id = entry.context_id
        GROUP BY entry.call_site_id, entry.method_id, above.size_bytes
    )
    SELECT edge.call_site_id,
           edge.method_id,
           callee.return_opcode AS opcode,
           SUM(edge.n_calls)::BIGINT AS n_calls,
           SUM(
               costs._priced(
                   cache, edge.n_returns, edge.n_misses, cost.hit_cycles, cost.miss_cycles
               )
           )::BIGINT AS cycles
    FROM edge
    JOIN costs._callees() AS callee ON callee.method_id = edge.method_id
    LEFT JOIN run.call_site AS site ON site.call_site_id = edge.call_site_id
    LEFT JOIN run.method AS caller ON caller.method_id = site.caller_id
    JOIN transfer_cost AS cost
        ON cost.opcode = callee.return_opcode
        AND cost.size_bytes = COALESCE(edge.size_bytes, caller.size_bytes, 0)
    GROUP BY edge.call_site_id, edge.method_id, callee.return_opcode
