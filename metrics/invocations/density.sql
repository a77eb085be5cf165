/**
 * @id           invocations.density
 * @name         How often invoke instructions run
 * @description  Executions of each of the five invoke instructions, in total and per thousand
 *               bytecodes executed. An invoke counts even if it throws before it enters a callee;
 *               calls by reflection or by the VM do not count. Dispatched invokes are invokevirtual
 *               and invokeinterface; late-bound invokes also include invokedynamic.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_virtual           integer  execution    executions of invokevirtual
 * @column       n_interface         integer  execution    executions of invokeinterface
 * @column       n_special           integer  execution    executions of invokespecial
 * @column       n_static            integer  execution    executions of invokestatic
 * @column       n_dynamic           integer  execution    executions of invokedynamic
 * @column       n_dispatched        integer  execution    n_virtual and n_interface
 * @column       n_late_bound        integer  execution    n_dispatched and n_dynamic
 * @column       dispatched_density  number   1/kbytecode  n_dispatched per thousand bytecodes
 * @column       late_bound_density  number   1/kbytecode  n_late_bound per thousand bytecodes
 * @column       dynamic_density     number   1/kbytecode  n_dynamic per thousand bytecodes
 * @column       n_bytecodes         integer  bytecode     bytecodes executed
 * @sums         n_virtual n_interface n_special n_static n_dynamic n_dispatched n_late_bound
 *               n_bytecodes
 * @levels       dispatched_density late_bound_density dynamic_density
 * @overview     110 dispatched_density dispatched calls per thousand bytecodes
 * @better       none
 * @requires     thread_block, basic_block, instruction
 * @import       blocks
 * @import       stats
 * @source       Dufour et al. 2003 (*J) polymorphism.calls, polymorphism.invokeDensity; Prokopec et
 *               al. 2019 (Renaissance) method (late bound) and idynamic, which they divide by
 *               reference cycles
 * @tags         invocations starj renaissance
 */
WITH executed AS (
    SELECT opcode, SUM(n_executions)::BIGINT AS n_executions
    FROM blocks.instructions()
    WHERE opcode IN ('invokevirtual', 'invokespecial', 'invokestatic',
                     'invokeinterface', 'invokedynamic')
    GROUP BY opcode
),
counted AS (
    SELECT COALESCE(MAX(n_executions) FILTER (WHERE opcode = 'invokevirtual'), 0) AS n_virtual,
           COALESCE(MAX(n_executions) FILTER (WHERE opcode = 'invokeinterface'), 0) AS n_interface,
           COALESCE(MAX(n_executions) FILTER (WHERE opcode = 'invokespecial'), 0) AS n_special,
           COALESCE(MAX(n_executions) FILTER (WHERE opcode = 'invokestatic'), 0) AS n_static,
           COALESCE(MAX(n_executions) FILTER (WHERE opcode = 'invokedynamic'), 0) AS n_dynamic,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM blocks.executed())::BIGINT AS n_bytecodes
    FROM executed
)
SELECT n_virtual,
       n_interface,
       n_special,
       n_static,
       n_dynamic,
       n_virtual + n_interface AS n_dispatched,
       n_virtual + n_interface + n_dynamic AS n_late_bound,
       stats.per_thousand(n_virtual + n_interface, n_bytecodes) AS dispatched_density,
       stats.per_thousand(n_virtual + n_interface + n_dynamic, n_bytecodes) AS late_bound_density,
       stats.per_thousand(n_dynamic, n_bytecodes) AS dynamic_density,
       n_bytecodes
FROM counted
