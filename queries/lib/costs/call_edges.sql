/**
 * @description What the invokes of the scope's contexts cost beyond costs.blocks: costs.calls,
 *              summed by call site and called method.
 * @param       cache  text  as that of costs.calls
 * @column      call_site_id  integer         call site
 * @column      opcode        text            its invoke
 * @column      method_id     integer         called method
 * @column      n_calls       integer  call   calls
 * @column      cycles        integer  cycle  of all these calls
 */
CREATE MACRO costs.call_edges(cache) AS TABLE
    WITH missed AS (
        SELECT call.call_site_id,
               call.method_id,
               SUM(event.n_call_misses)::BIGINT AS n_misses
        FROM cache_event AS event
        JOIN call ON call.context_id = event.context_id
        WHERE cache = 'recorded'
        GROUP BY call.call_site_id, call.method_id
    )
    SELECT edge.call_site_id,
           site.opcode,
           edge.method_id,
           edge.n_calls,
           costs._priced(
               cache, edge.n_calls, missed.n_misses, cost.hit_cycles, cost.miss_cycles
           ) AS cycles
    FROM call_edge AS edge
    LEFT JOIN missed
        ON missed.call_site_id = edge.call_site_id AND missed.method_id = edge.method_id
    JOIN run.call_site AS site ON site.call_site_id = edge.call_site_id
    JOIN costs._callees() AS callee ON callee.method_id = edge.method_id
    JOIN transfer_cost AS cost
        ON cost.opcode = site.opcode AND cost.size_bytes = callee.size_bytes
