(:~
 : @id           contexts.methods
 : @name         Contexts of each method
 : @description  Distribution of the number of calling contexts of each executed method. The bins
 :               double (1, 2, 3-4, 5-8, …) and are named by their largest number.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       n_contexts  integer          largest number of contexts in the bin
 : @column       n_methods   integer  method  methods in the bin
 : @column       share       number   1       share of all methods
 : @sums         n_methods
 : @shares       share
 : @better       none
 : @requires     context, unfolded
 : @source       METRICS contexts.shape
 : @tags         contexts paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $counted :=
  for $context in $cct//dcg:context[@method]
  group by $method := $context/@method
  return count($context)
let $n-methods := count($counted)
return
  for $n-contexts in $counted
  group by $bin := stats:doubling-bin($n-contexts)
  order by $bin
  return map {
    "n_contexts": $bin,
    "n_methods": count($n-contexts),
    "share": stats:share(count($n-contexts), $n-methods)
  }
