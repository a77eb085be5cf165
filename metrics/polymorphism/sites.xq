(:~
 : @id           polymorphism.sites
 : @name         Targets of each call site
 : @description  For each dynamically dispatched call site (invokevirtual, invokeinterface) that
 :               called at least once: its distinct target methods, and the calls made through it.
 : @kind         table
 : @version      1
 : @grain        call_site
 : @column       call_site_id  integer            call site
 : @column       n_targets     integer  method    distinct target methods
 : @column       n_calls       integer  call      calls made through it
 : @sums         n_calls
 : @levels       n_targets
 : @overview     250 rows
 : @better       none
 : @param        min_targets integer 1 leave out sites with fewer targets
 : @requires     context, call_site, back_edge
 : @source       METRICS polymorphism.targets, the number for each call site
 : @tags         polymorphism dispatch paper
 :)
import module namespace cct = "urn:jvmscope:cct:1";

let $dispatching := cct:by-id(
  for $site in $classes//dcg:callSite[@opcode = ("invokevirtual", "invokeinterface")]
  return map { "id": string($site/@id) })
let $folded := (cct:moved-calls($cct), cct:surplus-calls($cct))
let $edges := cct:edges(cct:counted-calls($cct), $folded)
return
  for $edge in $edges[?calls gt 0][map:contains($dispatching, ?site)]
  group by $site := xs:integer($edge?site)
  let $n-targets := count(distinct-values($edge?callee))
  where $n-targets ge $min_targets
  order by $site
  return map { "call_site_id": $site, "n_targets": $n-targets, "n_calls": sum($edge?calls) }
