(:~
 : @id           native.share
 : @name         Share of native code
 : @description  Processor time in native code as a share of that in native code and bytecode. A
 :               thread starts in native code; bytecode is what runs between the end of a native
 :               method or the call of a Java method by JNI and the next native method or the
 :               return of that method. What was recorded slows bytecode down: its calls and blocks
 :               are counted, and native code is not, so the share is smaller than without the
 :               recording. Differs from run to run.
 : @kind         metric
 : @version      1
 : @grain        run
 : @column       native_share  number   1   native_ns as a share of both
 : @column       native_ns     integer  ns  processor time in native code
 : @column       bytecode_ns   integer  ns  processor time in bytecode, and in the VM between native methods
 : @sums         native_ns bytecode_ns
 : @shares       native_share
 : @better       none
 : @requires     thread_time
 : @source       METRICS native code; Binder et al. 2006, Table II
 : @tags         native time paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $native := sum($threads/dcg:threadTime ! xs:integer(@nativeNs))
let $bytecode := sum($threads/dcg:threadTime ! xs:integer(@bytecodeNs))
return map {
  "native_share": stats:share($native, $native + $bytecode),
  "native_ns": $native,
  "bytecode_ns": $bytecode
}
