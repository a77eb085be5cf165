/**
 * @id           invocations.sites
 * @name         Call sites by invoke instruction
 * @description  Executed call sites of each of the five invoke instructions: virtual, special,
 *               static, interface, dynamic. A site counts if it called at least once. Calls by the
 *               VM itself have no invoke instruction and are left out.
 * @kind         metric
 * @version      1
 * @grain        opcode
 * @column       instruction   text                invoke instruction
 * @column       n_call_sites  integer  call_site  call sites executed
 * @column       share         number   1          share of all executed call sites
 * @sums         n_call_sites
 * @shares       share
 * @plot         bar instruction n_call_sites
 * @better       none
 * @requires     context, call_site, back_edge
 * @import       stats
 * @source       METRICS invocations.sites; Sarimbekov et al. 2013, Table 1
 * @tags         invocations calls polymorphism paper
 */
WITH site AS (
    SELECT call_site.opcode AS instruction, COUNT(DISTINCT call.call_site_id) AS n_call_sites
    FROM call_edge AS call
    JOIN run.call_site ON call_site.call_site_id = call.call_site_id
    WHERE call.n_calls > 0
    GROUP BY call_site.opcode
)
SELECT opcode.name AS instruction,
       COALESCE(site.n_call_sites, 0) AS n_call_sites,
       stats.share(COALESCE(site.n_call_sites, 0), SUM(site.n_call_sites) OVER ()) AS share
FROM opcode
LEFT JOIN site ON site.instruction = opcode.name
WHERE starts_with(opcode.name, 'invoke')
ORDER BY opcode.number
