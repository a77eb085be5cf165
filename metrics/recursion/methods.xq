(:~
 : @id           recursion.methods
 : @name         Recursive methods
 : @description  Distinct methods called; recursive methods, which were called while an activation
 :               of them was on the stack; and directly recursive methods, which called themselves.
 : @kind         metric
 : @version      1
 : @grain        run
 : @column       n_methods                 integer  method  distinct methods called
 : @column       n_recursive               integer  method  recursive methods
 : @column       recursive_share           number   1       share of recursive methods
 : @column       n_directly_recursive      integer  method  methods that called themselves
 : @column       directly_recursive_share  number   1       share of directly recursive methods
 : @shares       recursive_share directly_recursive_share
 : @levels       n_methods n_recursive n_directly_recursive
 : @overview     140 recursive_share methods that were called while on the stack
 : @better       none
 : @requires     context, unfolded
 : @source       Sarimbekov et al. 2013, section 2.2.3: recursion
 : @tags         recursion calls paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $called :=
  for $caller in $cct//dcg:context, $callee in $caller/dcg:context[xs:integer(dcg:callCount) gt 0]
  let $is-direct := if ($callee/@method = $caller/@method) then 1 else 0
  let $is-recursive :=
    if ($callee/@method = $callee/ancestor::dcg:context/@method) then 1 else 0
  group by $method := string($callee/@method)
  return map { "is_direct": max($is-direct), "is_recursive": max($is-recursive) }
let $n := count($called)
let $n-recursive := sum($called?is_recursive)
let $n-direct := sum($called?is_direct)
return map {
  "n_methods": $n,
  "n_recursive": $n-recursive,
  "recursive_share": stats:share($n-recursive, $n),
  "n_directly_recursive": $n-direct,
  "directly_recursive_share": stats:share($n-direct, $n)
}
