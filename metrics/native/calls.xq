(:~
 : @id           native.calls
 : @name         Calls of native methods
 : @description  Calls of native methods that reached a function: by bytecode, reflection or method
 :               handles. Natives that compilers replace by code of their own are not among them.
 : @kind         metric
 : @version      1
 : @grain        run
 : @column       n_calls       integer  call     calls of native methods
 : @column       n_exceptions  integer  call     calls that ended with an exception
 : @column       n_methods     integer  method   native methods that were called
 : @column       n_libraries   integer  library  libraries with their functions
 : @sums         n_calls n_exceptions
 : @levels       n_methods n_libraries
 : @better       none
 : @requires     native_method
 : @source       METRICS native code; Binder et al. 2006, Table II
 : @tags         native calls paper
 :)
let $called := $threads/dcg:nativeMethod
return map {
  "n_calls": sum($called ! xs:integer(dcg:callCount)),
  "n_exceptions": sum($called ! xs:integer(dcg:exceptionCount)),
  "n_methods": count(distinct-values($called/@method)),
  "n_libraries": count(distinct-values($called/@library))
}
