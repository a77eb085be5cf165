/**
 * @id           size.loaded
 * @name         Size of the program as loaded
 * @description  Classes that the VM loaded, executed or not, the methods that they declare, and the
 *               bytecodes of these methods. Hidden classes count, but array classes do not. Methods
 *               without code (native, abstract) are methods. A recorded JVM has no class archive,
 *               so it reads every class from its class file, and also loads the classes that do
 *               this work: more than a bare JVM.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_classes    integer  class     classes and interfaces loaded
 * @column       n_methods    integer  method    methods that they declare
 * @column       n_bytecodes  integer  bytecode  bytecodes in these methods
 * @levels       n_classes n_methods n_bytecodes
 * @better       none
 * @requires     loaded_class, method, basic_block
 * @source       Dufour et al. 2003 (*J) base.classes, size.loadedClasses, size.loadedMethods,
 *               size.load, and with --scope application their app variants
 * @tags         size starj
 */
WITH loaded_method AS (
    SELECT m.method_id FROM run.method AS m SEMI JOIN loaded_class AS c USING (class_id)
)
SELECT (SELECT COUNT(*) FROM loaded_class) AS n_classes,
       (SELECT COUNT(*) FROM loaded_method) AS n_methods,
       (
           SELECT COALESCE(SUM(b.n_instructions), 0)
           FROM run.basic_block AS b
           SEMI JOIN loaded_method AS m USING (method_id)
       )::BIGINT AS n_bytecodes
