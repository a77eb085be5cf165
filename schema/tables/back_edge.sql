/**
 * @table        back_edge
 * @description  The calls whose node was folded into one that exists: without folding, each row
 *               would be a node below context_id. Empty where nothing was folded.
 * @recorded     always
 * @order        context_id, call_site_id, target_context_id
 */
CREATE TABLE back_edge (
    context_id         INTEGER NOT NULL REFERENCES context (context_id),  -- calling node
    call_site_id       INTEGER REFERENCES call_site (call_site_id),       -- site in its method; null: unknown
    target_context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node that counts the calls
    n_calls            BIGINT NOT NULL                                    -- calls along the edge [call]
);
