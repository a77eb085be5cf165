(:~
 : @id           polymorphism.targets
 : @name         Target polymorphism of call sites
 : @description  For each number of distinct target methods: the dynamically dispatched call sites
 :               (invokevirtual, invokeinterface) with that number, and the calls made through them.
 :               A site counts if it called at least once.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       n_targets         integer            distinct target methods of a call site
 : @column       n_call_sites      integer  call_site  call sites with that many targets
 : @column       call_sites_share  number   1          share of all dynamically dispatched sites
 : @column       n_calls           integer  call       calls made through these sites
 : @column       calls_share       number   1          share of all dynamically dispatched calls
 : @sums         n_call_sites n_calls
 : @shares       call_sites_share calls_share
 : @plot         bar n_targets calls_share
 : @better       none
 : @requires     context, call_site, back_edge
 : @source       METRICS polymorphism.targets; Sarimbekov et al. 2013, Table 1
 : @tags         polymorphism dispatch paper starj
 :)
import module namespace cct = "urn:jvmscope:cct:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $dispatching := cct:by-id(
  for $site in $classes//dcg:callSite[@opcode = ("invokevirtual", "invokeinterface")]
  return map { "id": string($site/@id) })
let $folded := (cct:moved-calls($cct), cct:surplus-calls($cct))
let $edges := cct:edges(cct:counted-calls($cct), $folded)
let $sites :=
  for $edge in $edges[?calls gt 0][map:contains($dispatching, ?site)]
  group by $site := $edge?site
  return map { "n_targets": count(distinct-values($edge?callee)), "n_calls": sum($edge?calls) }
let $n-sites := count($sites)
let $n-calls := sum($sites?n_calls)
return
  for $site in $sites
  group by $n-targets := $site?n_targets
  order by $n-targets
  return map {
    "n_targets": $n-targets,
    "n_call_sites": count($site),
    "call_sites_share": stats:share(count($site), $n-sites),
    "n_calls": sum($site?n_calls),
    "calls_share": stats:share(sum($site?n_calls), $n-calls)
  }
