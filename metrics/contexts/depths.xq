(:~
 : @id           contexts.depths
 : @name         Depths of calling contexts
 : @description  Distribution of the depth of calling contexts, that is, the number of frames on the
 :               stack, including the context's own. The bins double (1, 2, 3-4, 5-8, …) and are
 :               named by their largest depth.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       depth       integer           largest depth of the bin
 : @column       n_contexts  integer  context  contexts in the bin
 : @column       share       number   1        share of all contexts
 : @sums         n_contexts
 : @shares       share
 : @plot         bar depth share
 : @better       none
 : @requires     context, unfolded
 : @source       METRICS contexts.shape
 : @tags         contexts paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $counted :=
  for $context in $cct//dcg:context[@method]
  let $depth := count($context/ancestor::dcg:context)
  group by $value := $depth
  return map { "depth": $value, "n": count($context) }
let $n-contexts := sum($counted?n)
return
  for $row in $counted
  group by $bin := stats:doubling-bin($row?depth)
  order by $bin
  return map {
    "depth": $bin,
    "n_contexts": sum($row?n),
    "share": stats:share(sum($row?n), $n-contexts)
  }
