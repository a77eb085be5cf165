/**
 * @description The calls of the contexts in the scope, by the edge that they took, as call has those
 *              that the scope's contexts made.
 * @column      context_id    integer        called context
 * @column      call_site_id  integer        call site; null: called by the VM
 * @column      method_id     integer        called method
 * @column      n_calls       integer  call  calls
 */
CREATE MACRO costs._entries() AS TABLE
    SELECT c.context_id, c.call_site_id, c.method_id,
           c.n_calls - COALESCE(folded.n_calls, 0) AS n_calls
    FROM context AS c
    LEFT JOIN (
        SELECT target_context_id, SUM(n_calls)::BIGINT AS n_calls
        FROM run.back_edge
        GROUP BY target_context_id
    ) AS folded ON folded.target_context_id = c.context_id
    WHERE c.parent_id IS NOT NULL
    UNION ALL
    SELECT target.context_id, edge.call_site_id, target.method_id, edge.n_calls
    FROM run.back_edge AS edge
    JOIN context AS target ON target.context_id = edge.target_context_id
