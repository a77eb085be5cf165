/**
 * @description What each method costs by itself, over all contexts of the scope: the sum of
 *              costs.contexts, computed without the contexts where no cache is recorded.
 * @param       cache  text  as that of costs.calls
 * @column      method_id         integer               method
 * @column      block_cycles      integer  cycle        of its instructions
 * @column      call_cycles       integer  cycle        of its invokes, by the size of whom it calls
 * @column      return_cycles     integer  cycle        of its returns, by the size of whom it returns to
 * @column      cycles            integer  cycle        of all that has a cost; null: nothing has
 * @column      n_unpriced        integer  instruction  executions of instructions without a cost
 * @column      n_unpriced_calls  integer  call         calls of it, if its body has no cost
 */
CREATE MACRO costs.methods(cache) AS TABLE
    WITH part AS (
        SELECT block.method_id,
               counted.n_executions * block.cycles AS block_cycles,
               NULL::BIGINT AS call_cycles,
               NULL::BIGINT AS return_cycles,
               counted.n_executions * block.n_unpriced AS n_unpriced,
               0 AS n_unpriced_calls
        FROM thread_part AS counted
        JOIN costs.parts() AS block ON block.block_part_id = counted.block_part_id
        UNION ALL
        SELECT site.caller_id, NULL, edge.cycles, NULL, 0, 0
        FROM costs.call_edges(cache) AS edge
        JOIN run.call_site AS site ON site.call_site_id = edge.call_site_id
        UNION ALL
        SELECT method_id, NULL, NULL, cycles, 0, 0 FROM costs.return_edges(cache)
        UNION ALL
        SELECT counted.method_id,
               counted.n_calls * body.cycles,
               NULL,
               NULL,
               counted.n_calls * COALESCE(body.n_unpriced, 0),
               CASE WHEN body.cycles IS NULL THEN counted.n_calls ELSE 0 END
        FROM thread_method AS counted
        JOIN costs.bodies() AS body ON body.method_id = counted.method_id
        UNION ALL
        SELECT method_id, NULL, NULL, cycles, 0, 0 FROM costs.catches(cache)
    )
    SELECT method_id,
           SUM(block_cycles)::BIGINT AS block_cycles,
           SUM(call_cycles)::BIGINT AS call_cycles,
           SUM(return_cycles)::BIGINT AS return_cycles,
           SUM(COALESCE(block_cycles, call_cycles, return_cycles))::BIGINT AS cycles,
           SUM(n_unpriced)::BIGINT AS n_unpriced,
           SUM(n_unpriced_calls)::BIGINT AS n_unpriced_calls
    FROM part
    GROUP BY method_id
