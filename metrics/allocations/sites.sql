/**
 * @id           allocations.sites
 * @name         Objects and bytes allocated by each instruction
 * @description  For each instruction that allocated and each type: the objects and their bytes with
 *               headers. The instruction is new, one that makes arrays, or the call of a native
 *               method that returned a new object, such as Object.clone. What the VM or native code
 *               allocated for a method, such as an exception, has a row without an instruction.
 *               Objects of unknown size, as those of Class, have no bytes.
 * @kind         table
 * @version      2
 * @grain        method
 * @column       method_id    integer          allocating method
 * @column       offset       integer          offset of the instruction in its code; null: none
 * @column       opcode       text             the instruction's opcode; null: none
 * @column       line         integer          source line; null: no line numbers, or no instruction
 * @column       type         text             class in JVM form, or descriptor of the array
 * @column       n_objects    integer  object  objects allocated
 * @column       n_bytes      integer  byte    bytes of these objects
 * @column       bytes_share  number   1       share of all bytes
 * @sums         n_objects n_bytes
 * @shares       bytes_share
 * @sort         n_bytes
 * @better       none
 * @requires     allocation, allocation_site, context, instruction
 * @import       stats
 * @source       METRICS allocations, the numbers for each site
 * @tags         allocations objects method
 */
WITH allocated AS (
    SELECT node.method_id,
           i."offset",
           i.opcode::VARCHAR AS opcode,
           site.line,
           a.type,
           SUM(a.n_objects)::BIGINT AS n_objects,
           COALESCE(SUM(a.n_objects * a.size_bytes), 0)::BIGINT AS n_bytes
    FROM allocation AS a
    JOIN run.context AS node ON node.context_id = a.context_id
    LEFT JOIN run.instruction AS i ON i.instruction_id = a.instruction_id
    LEFT JOIN run.allocation_site AS site ON site.instruction_id = a.instruction_id
    GROUP BY ALL
)
SELECT method_id,
       "offset",
       opcode,
       line,
       type,
       n_objects,
       n_bytes,
       stats.share(n_bytes, SUM(n_bytes) OVER ()) AS bytes_share
FROM allocated
ORDER BY method_id, "offset" NULLS LAST, type
