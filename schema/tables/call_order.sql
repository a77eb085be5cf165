/**
 * @table        call_order
 * @description  What a one-entry cache at each dynamically dispatched call site would miss, in
 *               each thread; the first call is a miss.
 * @recorded     --probes order
 * @order        thread_id, call_site_id
 */
CREATE TABLE call_order (
    thread_id          INTEGER NOT NULL REFERENCES thread (thread_id),        -- thread
    call_site_id       INTEGER NOT NULL REFERENCES call_site (call_site_id),  -- call site
    n_calls            BIGINT NOT NULL,  -- calls [call]
    n_receiver_misses  BIGINT NOT NULL,  -- calls whose receiver class is not that of the call before [call]
    n_target_misses    BIGINT NOT NULL,  -- calls whose target method is not that of the call before [call]
    PRIMARY KEY (thread_id, call_site_id)
);
