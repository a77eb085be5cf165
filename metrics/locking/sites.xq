(:~
 : @id           locking.sites
 : @name         Locking sites
 : @description  Places that entered a monitor at least once (monitorenter instructions and
 :               synchronized methods), and the smallest number of them that covers a share of all
 :               entries: the busiest, until they reach ceil(share * entries).
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_sites         integer  place      places that entered a monitor
 : @column       n_covering      integer  place      busiest places that cover the share
 : @column       covering_share  number   1          share of the busiest places
 : @column       n_operations    integer  execution  entries of monitors
 : @sums         n_operations
 : @shares       covering_share
 : @levels       n_sites n_covering
 : @better       none
 : @param        share number 0.9 share of the entries to cover
 : @range        share [0.000001, 1]
 : @requires     thread_method, thread_block, basic_block, instruction, method
 : @source       Dufour et al. 2003 (*J) concurrency.lock
 : @tags         locking hotness starj
 :)
import module namespace locks = "urn:jvmscope:locks:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $falling :=
  for $n in (
    locks:entries-in-segments($classes, $cct),
    locks:entries-in-blocks($classes),
    locks:calls($methods))
  order by $n descending
  return $n
let $n-sites := count($falling)
let $n-operations := sum($falling)
let $wanted := stats:n-top($n-operations, $share)
let $covering := fold-left($falling, map { "n": 0, "covered": 0 }, function($sites, $n) {
  if ($sites?covered ge $wanted) then $sites
  else map { "n": $sites?n + 1, "covered": $sites?covered + $n }
})
return map {
  "n_sites": $n-sites,
  "n_covering": $covering?n,
  "covering_share": stats:share($covering?n, $n-sites),
  "n_operations": $n-operations
}
