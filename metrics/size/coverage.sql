/**
 * @id           size.coverage
 * @name         Dead code and code coverage
 * @description  Bytecodes in the loaded classes: executed at least once, never executed (dead), and
 *               unknown, because their methods have no block counts (method.coverage is not full).
 *               The share leaves out unknown bytecodes. What ran only before counting began (record
 *               --from) is among the dead. A recorded JVM has no class archive, so its start loads
 *               and executes more than that of a bare JVM.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_bytecodes     integer  bytecode  bytecodes of the loaded classes
 * @column       n_executed      integer  bytecode  bytecodes executed at least once
 * @column       n_dead          integer  bytecode  bytecodes never executed
 * @column       n_unknown       integer  bytecode  bytecodes in methods without block counts
 * @column       executed_share  number   1         n_executed as a share of n_executed and n_dead
 * @shares       executed_share
 * @levels       n_bytecodes n_executed n_dead n_unknown
 * @overview     70 executed_share bytecodes of the loaded code that were executed
 * @better       none
 * @requires     loaded_class, method, basic_block, thread_block
 * @import       blocks
 * @import       stats
 * @source       Dufour et al. 2003 (*J) size.deadCode, size.codeCoverage, and with --scope
 *               application their app variants; *J knows no methods without counts
 * @tags         size starj
 */
WITH loaded_block AS (
    SELECT b.basic_block_id, b.n_instructions, m.coverage = 'full' AS is_known
    FROM run.basic_block AS b
    JOIN run.method AS m ON m.method_id = b.method_id
    SEMI JOIN loaded_class AS c ON c.class_id = m.class_id
),
total AS (
    SELECT COALESCE(SUM(b.n_instructions), 0)::BIGINT AS n_bytecodes,
           COALESCE(SUM(b.n_instructions) FILTER (WHERE NOT b.is_known), 0)::BIGINT AS n_unknown,
           COALESCE(SUM(e.n_instructions) FILTER (WHERE b.is_known), 0)::BIGINT AS n_executed
    FROM loaded_block AS b
    LEFT JOIN (
        SELECT basic_block_id, SUM(n_instructions) AS n_instructions
        FROM blocks.parts()
        GROUP BY basic_block_id
    ) AS e ON e.basic_block_id = b.basic_block_id
)
SELECT n_bytecodes,
       n_executed,
       n_bytecodes - n_unknown - n_executed AS n_dead,
       n_unknown,
       stats.share(n_executed, n_bytecodes - n_unknown) AS executed_share
FROM total
