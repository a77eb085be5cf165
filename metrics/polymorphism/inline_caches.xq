(:~
 : @id           polymorphism.inline_caches
 : @name         Inline caches of several entries
 : @description  The best case for inline caches of 1, 2, 4, … entries, up to the size that covers
 :               every dynamically dispatched call site (invokevirtual, invokeinterface): the sites
 :               whose receiver classes all fit, and the calls that hit if each cache holds the most
 :               frequent classes of its site from the start. Misses while a cache fills depend on
 :               the order of calls; polymorphism.cache_misses has them for one entry. All arrays
 :               are one class. Calls that are only counted at their site (method.coverage leaf:
 :               native methods of the class library, methods that the VM replaces) have no receiver
 :               and are left out, so a site that makes such calls, too, has fewer receiver classes
 :               here than it met.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       n_entries         integer             entries of each site's cache
 : @column       n_covered_sites   integer  call_site  sites whose receiver classes all fit
 : @column       call_sites_share  number   1          share of all dynamically dispatched sites
 : @column       n_hits            integer  call       calls on the most frequent classes of their sites
 : @column       hit_rate          number   1          share of all dynamically dispatched calls
 : @shares       call_sites_share hit_rate
 : @levels       n_covered_sites n_hits
 : @plot         line n_entries hit_rate
 : @better       none
 : @requires     context, receiver
 : @source       Hölzle et al. 1991 (polymorphic inline caches)
 : @tags         polymorphism dispatch
 :)
import module namespace dispatch = "urn:jvmscope:dispatch:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $sites :=
  for $received in dispatch:receivers($cct)
  group by $site := $received?site
  return array { sort($received?n_calls, (), function($n) { -$n }) }
let $n-calls := sum($sites?*)
let $largest := stats:doubling-bin(max((0, $sites ! array:size(.))))
for $n-entries in (0 to 31) ! xs:integer(math:pow(2, .))
where $n-entries le $largest
let $n-covered := count($sites[array:size(.) le $n-entries])
let $n-hits := sum($sites ! subsequence(?*, 1, $n-entries))
return map {
  "n_entries": $n-entries,
  "n_covered_sites": $n-covered,
  "call_sites_share": stats:share($n-covered, count($sites)),
  "n_hits": $n-hits,
  "hit_rate": stats:share($n-hits, $n-calls)
}
