(:~
 : @id           native.methods
 : @name         Calls of each native method
 : @description  For each native method that was called: its calls, those that ended with an
 :               exception, and the calls of Java methods that its function made by JNI. Methods
 :               whose class is not known have no row, but belong to the whole of the shares.
 : @kind         table
 : @version      2
 : @grain        method
 : @column       method_id     integer        native method
 : @column       n_calls       integer  call  calls
 : @column       calls_share   number   1     share of all calls of native methods
 : @column       n_exceptions  integer  call  calls that ended with an exception
 : @column       n_jni_calls   integer  call  calls by JNI that its function made
 : @sums         n_calls n_exceptions n_jni_calls
 : @shares       calls_share
 : @sort         n_calls
 : @better       none
 : @requires     native_method
 : @source       METRICS native code
 : @tags         native calls method
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $called :=
  for $native in $threads/dcg:nativeMethod[@method]
  group by $method := xs:integer($native/@method)
  return map {
    "method_id": $method,
    "n_calls": sum($native ! xs:integer(dcg:callCount)),
    "n_exceptions": sum($native ! xs:integer(dcg:exceptionCount)),
    "n_jni_calls": sum($native ! xs:integer(dcg:jniCallCount))
  }
let $n-all-calls := sum($threads/dcg:nativeMethod ! xs:integer(dcg:callCount))
for $each in $called
order by $each?method_id
return map {
  "method_id": $each?method_id,
  "n_calls": $each?n_calls,
  "calls_share": stats:share($each?n_calls, $n-all-calls),
  "n_exceptions": $each?n_exceptions,
  "n_jni_calls": $each?n_jni_calls
}
