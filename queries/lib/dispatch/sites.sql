/**
 * @description Each dynamically dispatched call site that called at least once.
 * @column      call_site_id  integer          call site
 * @column      opcode        text             invokevirtual or invokeinterface
 * @column      n_targets     integer  method  distinct target methods
 * @column      n_calls       integer  call    calls made through it
 */
CREATE MACRO dispatch.sites() AS TABLE
    SELECT call_site.call_site_id,
           call_site.opcode,
           COUNT(DISTINCT call.method_id) AS n_targets,
           SUM(call.n_calls)::BIGINT AS n_calls
    FROM call_edge AS call
    JOIN run.call_site ON call_site.call_site_id = call.call_site_id
    WHERE dispatch.is_dynamic(call_site.opcode)
      AND call.n_calls > 0
    GROUP BY call_site.call_site_id, call_site.opcode
