/**
 * @id           cycles.opcodes
 * @name         Cycles of each opcode
 * @description  The cost of each opcode on another processor, by the cost model of cycles.run: its
 *               executions times its cost; for invokes and returns, also the cost of loading
 *               methods. Null for an opcode without a cost in the model; 0 for an opcode that never
 *               ran. The cost of native methods belongs to no opcode.
 * @kind         metric
 * @version      3
 * @grain        opcode
 * @column       opcode        text                mnemonic, in the order of the opcode numbers
 * @column       n_executions  integer  execution  executions
 * @column       cycles        integer  cycle      cycles of all executions
 * @column       share         number   1          share of the cycles of all opcodes
 * @sums         n_executions cycles
 * @shares       share
 * @better       lower
 * @param        model text jop-2008-07 name of a cost model, which can add parameters
 * @param        cache text none none: always load methods; perfect: never; recorded: as simulated
 * @requires     thread_block, instruction, call_site, context, back_edge
 * @import       costs
 * @source       METRICS cycles, by opcode
 * @tags         cycles instructions
 */
WITH executed AS (
    FROM costs.instructions()
),
load AS (
    SELECT opcode, SUM(cycles)::BIGINT AS cycles
    FROM (
        SELECT opcode, cycles FROM costs.call_edges($cache)
        UNION ALL
        SELECT opcode, cycles FROM costs.return_edges($cache)
        UNION ALL
        SELECT 'areturn', cycles FROM costs.catches($cache)
    )
    GROUP BY opcode
),
opcode_total AS (
    SELECT cost.opcode,
           COALESCE(executed.n_executions, 0) AS n_executions,
           COALESCE(executed.n_executions, 0) * cost.cycles + COALESCE(load.cycles, 0) AS cycles
    FROM opcode_cost AS cost
    LEFT JOIN executed ON executed.opcode = cost.opcode
    LEFT JOIN load ON load.opcode = cost.opcode
)
SELECT opcode.name AS opcode,
       total.n_executions,
       total.cycles,
       total.cycles::DOUBLE / NULLIF(SUM(total.cycles) OVER (), 0) AS share,
       CASE WHEN total.cycles IS NULL THEN 'the cost model has no cost for ' || opcode.name END
           AS reason
FROM opcode
JOIN opcode_total AS total ON total.opcode = opcode.name
ORDER BY opcode.number
