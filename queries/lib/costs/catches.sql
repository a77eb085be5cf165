/**
 * @description What loading the methods cost that caught exceptions, where the recorded cache says
 *              how often: as an areturn into the method, which is how JOP enters a handler.
 * @param       cache  text  as that of costs.calls; without recorded there are no rows
 * @column      context_id  integer         context that caught
 * @column      method_id   integer         its method
 * @column      cycles      integer  cycle  of all its catches
 */
CREATE MACRO costs.catches(cache) AS TABLE
    SELECT event.context_id,
           method.method_id,
           event.n_catch_misses * cost.miss_cycles
               + (event.n_catches - event.n_catch_misses) * cost.hit_cycles AS cycles
    FROM cache_event AS event
    JOIN context AS c ON c.context_id = event.context_id
    JOIN run.method AS method ON method.method_id = c.method_id
    JOIN transfer_cost AS cost
        ON cost.opcode = 'areturn' AND cost.size_bytes = method.size_bytes
    WHERE cache = 'recorded' AND event.n_catches > 0
