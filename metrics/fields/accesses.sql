/**
 * @id           fields.accesses
 * @name         Field accesses
 * @description  Executions of getfield, putfield, getstatic and putstatic, in total and per
 *               thousand bytecodes executed; by type, on fields that hold a reference (an object or
 *               array) and on fields that hold a primitive. Accesses by reflection, handles, Unsafe
 *               or native code do not count.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_accesses         integer  execution    executions of all four instructions
 * @column       n_reference        integer  execution    accesses to fields of a reference type
 * @column       n_primitive        integer  execution    accesses to fields of a primitive type
 * @column       n_getfield         integer  execution    executions of getfield
 * @column       n_putfield         integer  execution    executions of putfield
 * @column       n_getstatic        integer  execution    executions of getstatic
 * @column       n_putstatic        integer  execution    executions of putstatic
 * @column       density            number   1/kbytecode  accesses per thousand bytecodes
 * @column       reference_density  number   1/kbytecode  n_reference per thousand bytecodes
 * @column       primitive_density  number   1/kbytecode  n_primitive per thousand bytecodes
 * @column       getfield_density   number   1/kbytecode  n_getfield per thousand bytecodes
 * @column       putfield_density   number   1/kbytecode  n_putfield per thousand bytecodes
 * @column       n_bytecodes        integer  bytecode     bytecodes executed
 * @sums         n_accesses n_reference n_primitive n_getfield n_putfield n_getstatic n_putstatic
 *               n_bytecodes
 * @levels       density reference_density primitive_density getfield_density putfield_density
 * @overview     180 density accesses to fields per thousand bytecodes
 * @better       none
 * @requires     thread_block, basic_block, instruction
 * @import       blocks
 * @import       stats
 * @source       Dufour et al. 2003 (*J) pointer.fieldAccessDensity, pointer.refFieldAccessDensity,
 *               pointer.nonrefFieldAccessDensity; DaCapo Chopin BGF and BPF, which divide getfield
 *               and putfield by time
 * @tags         fields starj dacapo
 */
WITH executed AS (
    SELECT opcode,
           SUM(n_executions)::BIGINT AS n_executions,
           COALESCE(
               SUM(n_executions) FILTER (WHERE regexp_matches(operand, ':[L\[][^:]*$')), 0
           )::BIGINT AS n_reference
    FROM blocks.instructions()
    WHERE opcode IN ('getfield', 'putfield', 'getstatic', 'putstatic')
    GROUP BY opcode
),
counted AS (
    SELECT COALESCE(SUM(n_executions), 0)::BIGINT AS n_accesses,
           COALESCE(SUM(n_reference), 0)::BIGINT AS n_reference,
           COALESCE(SUM(n_executions) FILTER (WHERE opcode = 'getfield'), 0)::BIGINT AS n_getfield,
           COALESCE(SUM(n_executions) FILTER (WHERE opcode = 'putfield'), 0)::BIGINT AS n_putfield,
           COALESCE(SUM(n_executions) FILTER (WHERE opcode = 'getstatic'), 0)::BIGINT
               AS n_getstatic,
           COALESCE(SUM(n_executions) FILTER (WHERE opcode = 'putstatic'), 0)::BIGINT
               AS n_putstatic,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM blocks.executed())::BIGINT AS n_bytecodes
    FROM executed
)
SELECT n_accesses,
       n_reference,
       n_accesses - n_reference AS n_primitive,
       n_getfield,
       n_putfield,
       n_getstatic,
       n_putstatic,
       stats.per_thousand(n_accesses, n_bytecodes) AS density,
       stats.per_thousand(n_reference, n_bytecodes) AS reference_density,
       stats.per_thousand(n_accesses - n_reference, n_bytecodes) AS primitive_density,
       stats.per_thousand(n_getfield, n_bytecodes) AS getfield_density,
       stats.per_thousand(n_putfield, n_bytecodes) AS putfield_density,
       n_bytecodes
FROM counted
