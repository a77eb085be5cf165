(:~
 : @id           native.entries
 : @name         Calls of Java that no bytecode made
 : @description  Calls of Java methods by native code and by the VM: the first methods of threads,
 :               calls that native methods made by JNI, and those that the VM made by itself while
 :               bytecode or a native method ran, such as class initialisers and loadClass. They
 :               are contexts without a call instruction. What native code calls by JNI while no
 :               native method runs, as main by the launcher, is a first method. JNI's calls of
 :               methods that have no context are not among them.
 : @kind         metric
 : @version      1
 : @grain        run
 : @column       n_calls         integer  call  calls by native code and by the VM
 : @column       n_first         integer  call  first methods of threads, such as run, exit and main
 : @column       n_jni_calls     integer  call  by JNI in native methods
 : @column       n_initialisers  integer  call  class initialisers, called by the VM
 : @column       n_loads         integer  call  loadClass, called by the VM to resolve a class
 : @column       n_others        integer  call  other calls by the VM, as those of reflection
 : @sums         n_calls n_first n_jni_calls n_initialisers n_loads n_others
 : @better       none
 : @requires     context_native, context, call_site, unfolded
 : @source       METRICS native code; Binder et al. 2006 (SPA sees both kinds)
 : @tags         native calls
 :)

let $entered :=
  for $called in $cct//dcg:context[@method],
      $caller in $called/parent::dcg:context,
      $method in $methods[@id = $called/@method]
  let $site := $classes//dcg:callSite[@id = $called/@callSite]
  where empty($site/@opcode)
  let $n := xs:integer($called/dcg:callCount)
  let $n-first := if (empty($caller/@method)) then $n else 0
  let $n-initialisers := if ($caller/@method and $method/@name = "<clinit>") then $n else 0
  let $n-loads := if ($caller/@method and $method/@name = "loadClass") then $n else 0
  group by $caller-id := xs:integer($caller/@id)
  return map {
    "caller": $caller-id,
    "n": sum($n),
    "n_first": sum($n-first),
    "n_initialisers": sum($n-initialisers),
    "n_loads": sum($n-loads),
    "n_jni": 0
  }
let $by-jni :=
  for $context in $cct//dcg:context, $native in $context/dcg:nativeCalls
  group by $caller-id := xs:integer($context/@id)
  return map {
    "caller": $caller-id,
    "n": 0,
    "n_first": 0,
    "n_initialisers": 0,
    "n_loads": 0,
    "n_jni": sum($native ! xs:integer(dcg:jniCallCount))
  }
let $told :=
  for $each in ($entered, $by-jni)
  group by $caller := $each?caller
  let $n := sum($each?n)
  let $n-others := $n - sum($each?n_first) - sum($each?n_initialisers) - sum($each?n_loads)
  let $n-jni := if (sum($each?n_jni) lt $n-others) then sum($each?n_jni) else $n-others
  return map {
    "n": $n,
    "n_first": sum($each?n_first),
    "n_initialisers": sum($each?n_initialisers),
    "n_loads": sum($each?n_loads),
    "n_jni": $n-jni,
    "n_others": $n-others - $n-jni
  }
return map {
  "n_calls": sum($told?n),
  "n_first": sum($told?n_first),
  "n_jni_calls": sum($told?n_jni),
  "n_initialisers": sum($told?n_initialisers),
  "n_loads": sum($told?n_loads),
  "n_others": sum($told?n_others)
}
