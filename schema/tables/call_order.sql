/**
 * @table        call_order
 * @description  How often a cache with one entry at each dynamically dispatched call site would
 *               miss, per thread. The first call is a miss. A site that also called methods
 *               that are not instrumented (--exclude), which made dispatched calls, has no row.
 * @recorded     --probes order
 * @order        thread_id, call_site_id
 * @element      callOrder
 * @within       thread 1
 * @folded       the order of calls is not kept where calls are folded
 */
CREATE TABLE call_order (
    thread_id          INTEGER NOT NULL REFERENCES thread (thread_id),        -- thread
    call_site_id       INTEGER NOT NULL REFERENCES call_site (call_site_id),  -- call site
    n_calls            BIGINT NOT NULL,  -- calls [call]
    n_receiver_misses  BIGINT NOT NULL,  -- calls with another receiver class than the previous call [call]
    n_target_misses    BIGINT NOT NULL,  -- calls with another target method than the previous call [call]
    PRIMARY KEY (thread_id, call_site_id)
);
