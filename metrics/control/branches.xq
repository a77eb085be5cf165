(:~
 : @id           control.branches
 : @name         Branches
 : @description  Executions of branch instructions: conditional branches (the if instructions) and
 :               switches; in total and per thousand bytecodes executed. Instructions with only one
 :               target (goto, jsr, ret), invokes and returns do not count.
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_branches      integer  execution    conditional branches and switches
 : @column       n_conditionals  integer  execution    conditional branches
 : @column       n_switches      integer  execution    tableswitch and lookupswitch
 : @column       density         number   1/kbytecode  branches per thousand bytecodes
 : @column       n_bytecodes     integer  bytecode     bytecodes executed
 : @sums         n_branches n_conditionals n_switches n_bytecodes
 : @levels       density
 : @overview     210 density branches per thousand bytecodes
 : @better       none
 : @requires     thread_block, basic_block, instruction
 : @source       Dufour et al. 2003 (*J) structure.controlDensity
 : @tags         control starj
 :)
import module namespace blocks = "urn:jvmscope:blocks:1";
import module namespace stats = "urn:jvmscope:stats:1";

declare function local:n($executed as map(*)*, $opcodes as xs:string*) as xs:integer {
  sum($executed[?opcode = $opcodes]?n_executions)
};

let $executed :=
  (blocks:opcodes-in-segments($classes, $cct), blocks:opcodes-in-blocks($classes))
let $n-bytecodes := sum($executed?n_executions)
let $n-conditionals := sum($executed[starts-with(?opcode, "if")]?n_executions)
let $n-switches := local:n($executed, ("tableswitch", "lookupswitch"))
let $n-branches := $n-conditionals + $n-switches
return map {
  "n_branches": $n-branches,
  "n_conditionals": $n-conditionals,
  "n_switches": $n-switches,
  "density": stats:per-thousand($n-branches, $n-bytecodes),
  "n_bytecodes": $n-bytecodes
}
