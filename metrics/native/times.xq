(:~
 : @id           native.times
 : @name         Processor time of each native method
 : @description  For each native method that was called: the processor time in its function,
 :               without the Java methods that this called by JNI. Methods whose class is not known
 :               have no row, but belong to the whole of the shares. Differs from run to run.
 : @kind         table
 : @version      2
 : @grain        method
 : @column       method_id   integer      native method
 : @column       self_ns     integer  ns  processor time in its function
 : @column       time_share  number   1   share of the time of all native methods
 : @sums         self_ns
 : @shares       time_share
 : @sort         self_ns
 : @better       none
 : @requires     native_time
 : @source       METRICS native code
 : @tags         native time method
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $spent :=
  for $native in $threads/dcg:nativeTime[@method]
  group by $method := xs:integer($native/@method)
  return map { "method_id": $method, "self_ns": sum($native ! xs:integer(@selfNs)) }
let $all-ns := sum($threads/dcg:nativeTime ! xs:integer(@selfNs))
for $each in $spent
order by $each?method_id
return map {
  "method_id": $each?method_id,
  "self_ns": $each?self_ns,
  "time_share": stats:share($each?self_ns, $all-ns)
}
