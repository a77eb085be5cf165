(:~
 : @id           instructions.mix
 : @name         Instruction mix
 : @description  Executions of each of the JVM's 202 opcodes: for all basic blocks, executions of
 :               the block times occurrences of the opcode in it. An opcode that never ran has 0. A
 :               block in which an instruction throws counts as a whole, or up to that instruction
 :               if the run was recorded with --exact-exceptions. Methods without block counts
 :               (method.coverage) are left out.
 : @kind         metric
 : @version      2
 : @grain        opcode
 : @column       opcode        text                mnemonic, in the order of the opcode numbers
 : @column       n_executions  integer  execution  executions
 : @column       share         number   1          share of all bytecodes executed
 : @sums         n_executions
 : @shares       share
 : @plot         bar opcode share
 : @better       none
 : @requires     thread_block, basic_block, instruction
 : @source       METRICS instructions.mix; Sarimbekov et al. 2013, Table 1
 : @tags         instructions paper
 :)
import module namespace blocks = "urn:jvmscope:blocks:1";
import module namespace opcodes = "urn:jvmscope:opcodes:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $executed :=
  (blocks:opcodes-in-segments($classes, $cct), blocks:opcodes-in-blocks($classes))
let $total := sum($executed?n_executions)
for $opcode in $opcodes:names
let $n := sum($executed[?opcode = $opcode]?n_executions)
return map {
  "opcode": $opcode,
  "n_executions": $n,
  "share": stats:share($n, $total)
}
