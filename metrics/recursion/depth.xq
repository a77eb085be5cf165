(:~
 : @id           recursion.depth
 : @name         Recursion depth
 : @description  Distribution of the recursion depth of all calls: how many activations of the
 :               called method are on the stack, including the new one. The bins double (1, which is
 :               not recursive, 2, 3-4, 5-8, …) and are named by their largest depth.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       n_activations  integer        largest depth of the bin
 : @column       n_calls        integer  call  calls with such a depth
 : @column       share          number   1     share of all calls
 : @sums         n_calls
 : @shares       share
 : @plot         bar n_activations share
 : @better       none
 : @requires     context, unfolded
 : @source       Sarimbekov et al. 2013, Table 1 and section 2.2.3: recursion depth
 : @tags         recursion stack calls paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $nested :=
  for $caller in $cct//dcg:context, $callee in $caller/dcg:context
  let $calls := xs:integer($callee/dcg:callCount)
  let $above := count($callee/ancestor::dcg:context[@method = $callee/@method])
  group by $n-above := $above
  return map { "n_activations": $n-above + 1, "n_calls": sum($calls) }
let $n-calls := sum($nested?n_calls)
return
  for $depth in $nested[?n_calls gt 0]
  group by $bin := stats:doubling-bin($depth?n_activations)
  order by $bin
  return map {
    "n_activations": $bin,
    "n_calls": sum($depth?n_calls),
    "share": stats:share(sum($depth?n_calls), $n-calls)
  }
