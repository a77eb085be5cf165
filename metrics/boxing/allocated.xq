(:~
 : @id           boxing.allocated
 : @name         Boxed primitives allocated
 : @description  Executions of the instruction new for each of the eight wrapper classes. The class
 :               library allocates boxes in valueOf, so the scope application shows only what the
 :               application allocates itself. Arrays do not count, nor do objects that are created
 :               without new (clones, deserialisation, native code). A recorded JVM has no class
 :               archive, so bytecodes fill the caches of boxes, such as Integer's 256, at first
 :               use.
 : @kind         metric
 : @version      2
 : @grain        class
 : @column       class_name     text             wrapper class, in JVM form
 : @column       n_objects      integer  object  executions of new for the class
 : @column       share          number   1       share of new for all wrapper classes
 : @column       n_all_objects  integer  object  executions of new for any class
 : @column       objects_share  number   1       share of new for any class
 : @sums         n_objects
 : @shares       share objects_share
 : @levels       n_all_objects
 : @plot         bar class_name n_objects
 : @better       none
 : @requires     thread_block, basic_block, instruction
 : @source       METRICS boxing.allocated; Sarimbekov et al. 2013, Table 1
 : @tags         boxing allocations paper
 :)
import module namespace blocks = "urn:jvmscope:blocks:1";
import module namespace boxing = "urn:jvmscope:boxing:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $allocated :=
  (blocks:allocations-in-segments($classes, $cct), blocks:allocations-in-blocks($classes))
let $n-boxed := sum($allocated[?class_name ne ""]?n_executions)
let $n-all := sum($allocated?n_executions)
for $class in $boxing:classes
let $n := sum($allocated[?class_name eq $class]?n_executions)
return map {
  "class_name": $class,
  "n_objects": $n,
  "share": stats:share($n, $n-boxed),
  "n_all_objects": $n-all,
  "objects_share": stats:share($n, $n-all)
}
