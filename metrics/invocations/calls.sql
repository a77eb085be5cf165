/**
 * @id           invocations.calls
 * @name         Calls by invoke instruction
 * @description  Calls made by each of the five invoke instructions: virtual, special, static,
 *               interface, dynamic. A call counts when its callee is entered, so an invoke that
 *               throws before that does not count. Calls by the VM itself have no invoke
 *               instruction and are left out.
 * @kind         metric
 * @version      1
 * @grain        opcode
 * @column       instruction  text           invoke instruction
 * @column       n_calls      integer  call  calls made
 * @column       share        number   1     share of all calls by invoke instructions
 * @sums         n_calls
 * @shares       share
 * @plot         bar instruction n_calls
 * @better       none
 * @requires     context, call_site, back_edge
 * @import       stats
 * @source       METRICS invocations.calls; Sarimbekov et al. 2013, Table 1
 * @tags         invocations calls paper
 */
WITH called AS (
    SELECT call_site.opcode AS instruction, SUM(call.n_calls)::BIGINT AS n_calls
    FROM call_edge AS call
    JOIN run.call_site ON call_site.call_site_id = call.call_site_id
    WHERE call_site.opcode IS NOT NULL
    GROUP BY call_site.opcode
)
SELECT opcode.name AS instruction,
       COALESCE(called.n_calls, 0) AS n_calls,
       stats.share(COALESCE(called.n_calls, 0), SUM(called.n_calls) OVER ()) AS share
FROM opcode
LEFT JOIN called ON called.instruction = opcode.name
WHERE starts_with(opcode.name, 'invoke')
ORDER BY opcode.number
