/**
 * @id           boxing.allocated
 * @name         Boxed primitives allocated
 * @description  Executions of the instruction new for each of the eight wrapper classes. The class
 *               library allocates boxes in valueOf, so the scope application shows only what the
 *               application allocates itself. Arrays do not count, nor do objects that are created
 *               without new (clones, deserialisation, native code). A recorded JVM has no class
 *               archive, so bytecodes fill the caches of boxes, such as Integer's 256, at first
 *               use.
 * @kind         metric
 * @version      2
 * @grain        class
 * @column       class_name     text             wrapper class, in JVM form
 * @column       n_objects      integer  object  executions of new for the class
 * @column       share          number   1       share of new for all wrapper classes
 * @column       n_all_objects  integer  object  executions of new for any class
 * @column       objects_share  number   1       share of new for any class
 * @sums         n_objects
 * @shares       share objects_share
 * @levels       n_all_objects
 * @plot         bar class_name n_objects
 * @better       none
 * @requires     thread_block, basic_block, instruction
 * @import       blocks
 * @import       boxing
 * @import       stats
 * @source       METRICS boxing.allocated; Sarimbekov et al. 2013, Table 1
 * @tags         boxing allocations paper
 */
WITH allocated AS (
    SELECT operand AS class_name, SUM(n_executions)::BIGINT AS n_objects
    FROM blocks.instructions()
    WHERE opcode = 'new'
    GROUP BY operand
),
total AS (
    SELECT COALESCE(SUM(n_objects), 0)::BIGINT AS n_all_objects FROM allocated
)
SELECT wrapper.class_name,
       COALESCE(allocated.n_objects, 0) AS n_objects,
       stats.share(COALESCE(allocated.n_objects, 0), SUM(allocated.n_objects) OVER ()) AS share,
       total.n_all_objects,
       stats.share(COALESCE(allocated.n_objects, 0), total.n_all_objects) AS objects_share
FROM boxing.wrappers() AS wrapper
CROSS JOIN total
LEFT JOIN allocated ON allocated.class_name = wrapper.class_name
ORDER BY wrapper.class_name
