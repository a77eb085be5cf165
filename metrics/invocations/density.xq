(:~
 : @id           invocations.density
 : @name         How often invoke instructions run
 : @description  Executions of each of the five invoke instructions, in total and per thousand
 :               bytecodes executed. An invoke counts even if it throws before it enters a callee;
 :               calls by reflection or by the VM do not count. Dispatched invokes are invokevirtual
 :               and invokeinterface; late-bound invokes also include invokedynamic.
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_virtual           integer  execution    executions of invokevirtual
 : @column       n_interface         integer  execution    executions of invokeinterface
 : @column       n_special           integer  execution    executions of invokespecial
 : @column       n_static            integer  execution    executions of invokestatic
 : @column       n_dynamic           integer  execution    executions of invokedynamic
 : @column       n_dispatched        integer  execution    n_virtual and n_interface
 : @column       n_late_bound        integer  execution    n_dispatched and n_dynamic
 : @column       dispatched_density  number   1/kbytecode  n_dispatched per thousand bytecodes
 : @column       late_bound_density  number   1/kbytecode  n_late_bound per thousand bytecodes
 : @column       dynamic_density     number   1/kbytecode  n_dynamic per thousand bytecodes
 : @column       n_bytecodes         integer  bytecode     bytecodes executed
 : @sums         n_virtual n_interface n_special n_static n_dynamic n_dispatched n_late_bound
 :               n_bytecodes
 : @levels       dispatched_density late_bound_density dynamic_density
 : @overview     110 dispatched_density dispatched calls per thousand bytecodes
 : @better       none
 : @requires     thread_block, basic_block, instruction
 : @source       Dufour et al. 2003 (*J) polymorphism.calls, polymorphism.invokeDensity; Prokopec et
 :               al. 2019 (Renaissance) method (late bound) and idynamic, which they divide by
 :               reference cycles
 : @tags         invocations starj renaissance
 :)
import module namespace blocks = "urn:jvmscope:blocks:1";
import module namespace stats = "urn:jvmscope:stats:1";

declare function local:n($executed as map(*)*, $opcodes as xs:string*) as xs:integer {
  sum($executed[?opcode = $opcodes]?n_executions)
};

let $executed :=
  (blocks:opcodes-in-segments($classes, $cct), blocks:opcodes-in-blocks($classes))
let $n-bytecodes := sum($executed?n_executions)
let $n-virtual := local:n($executed, "invokevirtual")
let $n-interface := local:n($executed, "invokeinterface")
let $n-dynamic := local:n($executed, "invokedynamic")
let $n-dispatched := $n-virtual + $n-interface
return map {
  "n_virtual": $n-virtual,
  "n_interface": $n-interface,
  "n_special": local:n($executed, "invokespecial"),
  "n_static": local:n($executed, "invokestatic"),
  "n_dynamic": $n-dynamic,
  "n_dispatched": $n-dispatched,
  "n_late_bound": $n-dispatched + $n-dynamic,
  "dispatched_density": stats:per-thousand($n-dispatched, $n-bytecodes),
  "late_bound_density": stats:per-thousand($n-dispatched + $n-dynamic, $n-bytecodes),
  "dynamic_density": stats:per-thousand($n-dynamic, $n-bytecodes),
  "n_bytecodes": $n-bytecodes
}
