(:~
 : @id           contexts.degrees
 : @name         Degrees of calling contexts
 : @description  Distribution of the degree of calling contexts, that is, how many contexts each one
 :               calls. The bins double (0, 1, 2, 3-4, 5-8, …) and are named by their largest
 :               degree.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       degree      integer           largest degree of the bin
 : @column       n_contexts  integer  context  contexts in the bin
 : @column       share       number   1        share of all contexts
 : @sums         n_contexts
 : @shares       share
 : @plot         bar degree share
 : @better       none
 : @requires     context, unfolded
 : @source       METRICS contexts.shape
 : @tags         contexts paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $counted :=
  for $context in $cct//dcg:context[@method]
  let $degree := count($context/dcg:context)
  group by $value := $degree
  return map { "degree": $value, "n": count($context) }
let $n-contexts := sum($counted?n)
return
  for $row in $counted
  group by $bin := stats:doubling-bin($row?degree)
  order by $bin
  return map {
    "degree": $bin,
    "n_contexts": sum($row?n),
    "share": stats:share(sum($row?n), $n-contexts)
  }
