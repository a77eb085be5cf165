(:~
 : @id           native.jni_calls
 : @name         Calls of Java methods by JNI
 : @description  Calls of Java methods and constructors that native code made by the functions of
 :               JNI: Call…Method, CallStatic…Method, CallNonvirtual…Method and NewObject…. Calls
 :               that the VM itself makes are not among them. With --probes native-spa, calls are
 :               those of Java methods by native code or by the VM for it, without their groups.
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_calls        integer  call  calls by JNI
 : @column       n_virtual      integer  call  by Call…Method
 : @column       n_static       integer  call  by CallStatic…Method
 : @column       n_nonvirtual   integer  call  by CallNonvirtual…Method
 : @column       n_new_objects  integer  call  by NewObject…
 : @sums         n_calls n_virtual n_static n_nonvirtual n_new_objects
 : @better       none
 : @requires     native_transition
 : @source       METRICS native code; Binder et al. 2006, Table II
 : @tags         native calls paper
 :)
let $called :=
  for $transition in $threads/dcg:transition[@kind ne "native_method"]
  group by $kind := string($transition/@kind)
  return map { "kind": $kind, "n": sum($transition ! xs:integer(dcg:transitionCount)) }
let $has-groups := empty($called[?kind eq "java_method"])
return map {
  "n_calls": sum($called?n),
  "n_virtual": sum($called[?kind eq "call"]?n)[$has-groups],
  "n_static": sum($called[?kind eq "call_static"]?n)[$has-groups],
  "n_nonvirtual": sum($called[?kind eq "call_nonvirtual"]?n)[$has-groups],
  "n_new_objects": sum($called[?kind eq "new_object"]?n)[$has-groups]
}
