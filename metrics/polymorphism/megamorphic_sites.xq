(:~
 : @id           polymorphism.megamorphic_sites
 : @name         Megamorphic call sites by their calls
 : @description  Dynamically dispatched call sites (invokevirtual, invokeinterface) with many target
 :               methods, those with the most calls first. Dispatch is most expensive at these
 :               sites, because compilers inline one or two targets, and dispatch by table if there
 :               are more.
 : @kind         table
 : @version      1
 : @grain        call_site
 : @column       call_site_id  integer            call site
 : @column       n_targets     integer  method    distinct target methods
 : @column       n_calls       integer  call      calls made through it
 : @column       calls_share   number   1         share of all dynamically dispatched calls
 : @sums         n_calls
 : @shares       calls_share
 : @levels       n_targets
 : @better       none
 : @param        min_targets integer 3 leave out sites with fewer targets
 : @requires     context, call_site, back_edge
 : @source       polymorphism.sites, in the order of calls; Hölzle et al. 1991 for the term
 : @tags         polymorphism dispatch
 :)
import module namespace cct = "urn:jvmscope:cct:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $dispatching := cct:by-id(
  for $site in $classes//dcg:callSite[@opcode = ("invokevirtual", "invokeinterface")]
  return map { "id": string($site/@id) })
let $folded := (cct:moved-calls($cct), cct:surplus-calls($cct))
let $edges := cct:edges(cct:counted-calls($cct), $folded)
let $dispatched := $edges[?calls gt 0][map:contains($dispatching, ?site)]
let $n-all-calls := sum($dispatched?calls)
return
  for $edge in $dispatched
  group by $site := xs:integer($edge?site)
  let $n-targets := count(distinct-values($edge?callee))
  let $n-calls := sum($edge?calls)
  where $n-targets ge $min_targets
  order by $n-calls descending, $site
  return map {
    "call_site_id": $site,
    "n_targets": $n-targets,
    "n_calls": $n-calls,
    "calls_share": stats:share($n-calls, $n-all-calls)
  }
