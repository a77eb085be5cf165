/**
 * @description Calls by the height of the stack at the moment of the call and by the populations
 *              that they belong to.
 * @column      n_frames                  integer  frame  frames on the stack, the caller's included
 * @column      n_slots                   integer  slot   slots of these frames
 * @column      is_potentially_recursive  boolean         dispatched dynamically, and may reach the caller
 * @column      is_truly_recursive        boolean         the callee is the caller
 * @column      is_on_stack               boolean         the callee is anywhere on the stack
 * @column      n_calls                   integer  call   calls
 */
CREATE MACRO stack.calls() AS TABLE
    SELECT call.depth - 1 AS n_frames,
           _n_slots_below(call.context_id) AS n_slots,
           reentrant.call_site_id IS NOT NULL AS is_potentially_recursive,
           COALESCE(call.ancestor_id = call.parent_id, false) AS is_truly_recursive,
           call.ancestor_id IS NOT NULL AS is_on_stack,
           SUM(call.n_calls)::BIGINT AS n_calls
    FROM call
    LEFT JOIN dispatch.reentrant_sites() AS reentrant
        ON reentrant.call_site_id = call.call_site_id
    GROUP BY ALL
