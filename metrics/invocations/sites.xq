(:~
 : @id           invocations.sites
 : @name         Call sites by invoke instruction
 : @description  Executed call sites of each of the five invoke instructions: virtual, special,
 :               static, interface, dynamic. A site counts if it called at least once. Calls by the
 :               VM itself have no invoke instruction and are left out.
 : @kind         metric
 : @version      1
 : @grain        opcode
 : @column       instruction   text                invoke instruction
 : @column       n_call_sites  integer  call_site  call sites executed
 : @column       share         number   1          share of all executed call sites
 : @sums         n_call_sites
 : @shares       share
 : @plot         bar instruction n_call_sites
 : @better       none
 : @requires     context, call_site, back_edge
 : @source       METRICS invocations.sites; Sarimbekov et al. 2013, Table 1
 : @tags         invocations calls polymorphism paper
 :)
import module namespace cct = "urn:jvmscope:cct:1";
import module namespace opcodes = "urn:jvmscope:opcodes:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $invokes := cct:by-id(
  for $site in $classes//dcg:callSite[@opcode]
  return map { "id": string($site/@id), "opcode": string($site/@opcode) })
let $folded := (cct:moved-calls($cct), cct:surplus-calls($cct))
let $edges := cct:edges(cct:counted-calls($cct), $folded)
let $sites := distinct-values($edges[?calls gt 0]?site)[map:contains($invokes, .)]
for $opcode in $opcodes:invokes
let $n := count($sites[$invokes(.)?opcode eq $opcode])
return map {
  "instruction": $opcode,
  "n_call_sites": $n,
  "share": stats:share($n, count($sites))
}
