(:~
 : @id           polymorphism.target_entropy
 : @name         Entropy of target methods at call sites
 : @description  How hard it is to predict the target of a dynamically dispatched call
 :               (invokevirtual, invokeinterface) from its call site: the Shannon entropy, in bits,
 :               of the site's calls over their target methods. 0 means always the same method, 1 as
 :               unpredictable as two equally frequent methods; a rare second target adds little.
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_call_sites  integer  call_site  dynamically dispatched sites that called
 : @column       n_calls       integer  call       calls through them
 : @column       call_entropy  number   bit        mean entropy, weighted by calls
 : @column       site_entropy  number   bit        mean entropy of the sites
 : @column       max_entropy   number   bit        entropy of the least predictable site
 : @sums         n_calls
 : @levels       n_call_sites call_entropy site_entropy max_entropy
 : @better       none
 : @requires     context, call_site, back_edge
 : @source       Shannon 1948; the weighted form of polymorphism.targets
 : @tags         polymorphism dispatch
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
  return array { $edge?calls }
let $entropies := stats:entropies($sites)
return map {
  "n_call_sites": $entropies?n_distributions,
  "n_calls": $entropies?n,
  "call_entropy": $entropies?weighted_entropy,
  "site_entropy": $entropies?mean_entropy,
  "max_entropy": $entropies?max_entropy
}
