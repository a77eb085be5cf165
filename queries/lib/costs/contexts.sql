/**
 * @description What each context of the scope costs by itself: its blocks, its invokes by the size
 *              of whom it calls, its returns by the size of whom it returns to.
 * @param       cache  text  as that of costs.calls
 * @column      context_id        integer               context
 * @column      cycles            integer  cycle        of all that has a cost; null: nothing has
 * @column      n_unpriced        integer  instruction  executions of instructions without a cost
 * @column      n_unpriced_calls  integer  call         calls of it, if its body has no cost
 */
CREATE MACRO costs.contexts(cache) AS TABLE
    WITH part AS (
        SELECT counted.context_id,
               counted.n_executions * block.cycles AS cycles,
               counted.n_executions * block.n_unpriced AS n_unpriced,
               0 AS n_unpriced_calls
        FROM context_part AS counted
        JOIN costs.parts() AS block ON block.block_part_id = counted.block_part_id
        UNION ALL
        SELECT context_id, cycles, 0, 0 FROM costs.calls(cache)
        UNION ALL
        SELECT context_id, cycles, 0, 0 FROM costs.returns(cache)
        UNION ALL
        SELECT c.context_id,
               c.n_calls * body.cycles,
               c.n_calls * COALESCE(body.n_unpriced, 0),
               CASE WHEN body.cycles IS NULL THEN c.n_calls ELSE 0 END
        FROM context AS c
        JOIN costs.bodies() AS body ON body.method_id = c.method_id
        UNION ALL
        SELECT context_id, cycles, 0, 0 FROM costs.catches(cache)
    )
    SELECT context_id,
           SUM(cycles)::BIGINT AS cycles,
           SUM(n_unpriced)::BIGINT AS n_unpriced,
           SUM(n_unpriced_calls)::BIGINT AS n_unpriced_calls
    FROM part
    GROUP BY context_id
