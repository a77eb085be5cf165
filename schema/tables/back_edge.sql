/**
 * @table        back_edge
 * @description  The calls whose node was folded into an existing node. Without folding, each row
 *               would be a node below context_id. The table is empty if nothing was folded.
 * @recorded     always
 * @order        context_id, call_site_id (null first), target_context_id
 * @element      backEdge
 * @within       context 5
 * @fact         'calls folded into the context ' || (context.depth - target_context.depth)
 *               || ' above' || COALESCE(' from offset ' || call_site."offset", '')
 */
CREATE TABLE back_edge (
    context_id         INTEGER NOT NULL REFERENCES context (context_id),  -- calling node
    call_site_id       INTEGER REFERENCES call_site (call_site_id),       -- call site in its method; null: unknown
    target_context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node that counts the calls
    n_calls            BIGINT NOT NULL                                    -- calls along the edge [call]
);
