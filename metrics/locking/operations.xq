(:~
 : @id           locking.operations
 : @name         Lock operations
 : @description  Entries of monitors, in total and per thousand bytecodes executed: executions of
 :               monitorenter and of synchronized methods, including native ones. It makes no
 :               difference whether the lock was free or already held by the same thread.
 :               Object.wait, which releases and reacquires the monitor, and monitors entered by
 :               native code (JNI) do not count.
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_operations    integer  execution    entries of monitors
 : @column       n_monitorenter  integer  execution    entries by monitorenter
 : @column       n_synchronized  integer  execution    entries by executions of synchronized methods
 : @column       density         number   1/kbytecode  entries per thousand bytecodes
 : @column       n_bytecodes     integer  bytecode     bytecodes executed
 : @sums         n_operations n_monitorenter n_synchronized n_bytecodes
 : @levels       density
 : @overview     220 density monitors entered per thousand bytecodes
 : @better       none
 : @requires     thread_method, thread_block, basic_block, instruction, method
 : @source       Dufour et al. 2003 (*J) concurrency.lockDensity; Prokopec et al. 2019 (Renaissance)
 :               synch, which they divide by reference cycles
 : @tags         locking starj renaissance
 :)
import module namespace blocks = "urn:jvmscope:blocks:1";
import module namespace locks = "urn:jvmscope:locks:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $executed :=
  (blocks:opcodes-in-segments($classes, $cct), blocks:opcodes-in-blocks($classes))
let $n-monitorenter := sum($executed[?opcode = "monitorenter"]?n_executions)
let $n-synchronized := sum(locks:calls($methods))
let $n-operations := $n-monitorenter + $n-synchronized
let $n-bytecodes := sum(for $each in $methods return xs:integer($each/dcg:bytecodeCount))
return map {
  "n_operations": $n-operations,
  "n_monitorenter": $n-monitorenter,
  "n_synchronized": $n-synchronized,
  "density": stats:per-thousand($n-operations, $n-bytecodes),
  "n_bytecodes": $n-bytecodes
}
