(:~
 : @id           invocations.calls
 : @name         Calls by invoke instruction
 : @description  Calls made by each of the five invoke instructions: virtual, special, static,
 :               interface, dynamic. A call counts when its callee is entered, so an invoke that
 :               throws before that does not count. Calls by the VM itself have no invoke
 :               instruction and are left out.
 : @kind         metric
 : @version      1
 : @grain        opcode
 : @column       instruction  text           invoke instruction
 : @column       n_calls      integer  call  calls made
 : @column       share        number   1     share of all calls by invoke instructions
 : @sums         n_calls
 : @shares       share
 : @plot         bar instruction n_calls
 : @better       none
 : @requires     context, call_site, back_edge
 : @source       METRICS invocations.calls; Sarimbekov et al. 2013, Table 1
 : @tags         invocations calls paper
 :)
import module namespace cct = "urn:jvmscope:cct:1";
import module namespace opcodes = "urn:jvmscope:opcodes:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $invokes := cct:by-id(
  for $site in $classes//dcg:callSite[@opcode]
  return map { "id": string($site/@id), "opcode": string($site/@opcode) })
let $folded := (cct:moved-calls($cct), cct:surplus-calls($cct))
let $edges := cct:edges(cct:counted-calls($cct), $folded)
let $calls := $edges[map:contains($invokes, ?site)]
let $total := sum($calls?calls)
for $opcode in $opcodes:invokes
let $n := sum($calls[$invokes(?site)?opcode eq $opcode]?calls)
return map {
  "instruction": $opcode,
  "n_calls": $n,
  "share": stats:share($n, $total)
}
