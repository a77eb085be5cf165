/**
 * @id           size.executed
 * @name         Size of the program as executed
 * @description  What was executed at least once: classes (with an executed method), methods, basic
 *               blocks, bytecodes in these blocks (as places in the program, however often they
 *               ran), and call sites (the invoke instructions among them). If an instruction threw
 *               in the only execution of a block, the block counts as a whole, or up to that
 *               instruction if the run was recorded with --exact-exceptions. A recorded JVM has no
 *               class archive, so its start executes code that a bare JVM leaves out.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_classes     integer  class        classes with an executed method
 * @column       n_methods     integer  method       methods executed
 * @column       n_blocks      integer  basic_block  basic blocks executed
 * @column       n_bytecodes   integer  bytecode     bytecodes executed at least once
 * @column       n_call_sites  integer  call_site    invoke instructions executed at least once
 * @levels       n_classes n_methods n_blocks n_bytecodes n_call_sites
 * @overview     50 n_classes classes with an executed method
 * @overview     60 n_methods methods executed
 * @better       none
 * @requires     thread_method, thread_block, basic_block, instruction, method
 * @import       blocks
 * @source       Dufour et al. 2003 (*J) size.run; DaCapo Chopin executed-bytecodes-unique (BUB, in
 *               thousands), executed-calls-unique (BUF, in thousands)
 * @tags         size starj dacapo
 */
WITH executed_method AS (
    SELECT method_id FROM thread_method GROUP BY method_id HAVING SUM(n_calls) > 0
)
SELECT (
           SELECT COUNT(DISTINCT m.class_id)
           FROM run.method AS m
           SEMI JOIN executed_method AS e USING (method_id)
       ) AS n_classes,
       (SELECT COUNT(*) FROM executed_method) AS n_methods,
       (SELECT COUNT(*) FROM blocks.executed()) AS n_blocks,
       (SELECT COALESCE(SUM(n_instructions), 0) FROM blocks.parts())::BIGINT AS n_bytecodes,
       (
           SELECT COUNT(*)
           FROM blocks.instructions()
           WHERE opcode IN ('invokevirtual', 'invokespecial', 'invokestatic',
                            'invokeinterface', 'invokedynamic')
       ) AS n_call_sites
