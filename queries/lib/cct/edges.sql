/**
 * @description Who called whom, over all contexts: calls from a method to a method at a call site.
 *              Calls that folding moved to an ancestor count at the edge that they took; a root,
 *              which nothing called, has none.
 * @column      caller_id     integer        calling method; null: the VM
 * @column      call_site_id  integer        call site; null: an upcall of the VM
 * @column      callee_id     integer        called method
 * @column      n_calls       integer  call  calls
 */
CREATE MACRO cct.edges() AS TABLE
    SELECT caller.method_id AS caller_id,
           call.call_site_id,
           call.method_id AS callee_id,
           SUM(call.n_calls)::BIGINT AS n_calls
    FROM call
    JOIN run.context AS caller ON caller.context_id = call.parent_id
    GROUP BY caller.method_id, call.call_site_id, call.method_id
