(:~
 : @id           recursion.tail_calls
 : @name         Tail calls
 : @description  Calls in tail position, among all calls by invoke instructions and among directly
 :               recursive calls, whose callee is their caller. A call is in tail position if the
 :               instruction after its invoke is a return and its method is not synchronized. Two
 :               cases are not distinguished: a call that jumps to a return is left out, and a tail
 :               call inside a try block is included.
 : @kind         metric
 : @version      1
 : @grain        run
 : @column       n_calls              integer  call  calls by invoke instructions
 : @column       n_tail_calls         integer  call  calls in tail position
 : @column       tail_share           number   1     tail calls as a share of n_calls
 : @column       n_recursive_calls    integer  call  calls of a method by itself
 : @column       n_recursive_tail     integer  call  directly recursive calls in tail position
 : @column       recursive_tail_share number   1     share of the directly recursive calls
 : @sums         n_calls n_tail_calls n_recursive_calls n_recursive_tail
 : @shares       tail_share recursive_tail_share
 : @better       none
 : @requires     context, call_site, method, basic_block, instruction, back_edge
 : @source       Sarimbekov et al. 2013, section 2.2.3: recursion; Schinz and Odersky 2001 for tail calls on the JVM
 : @tags         recursion calls
 :)
import module namespace cct = "urn:jvmscope:cct:1";
import module namespace hierarchy = "urn:jvmscope:hierarchy:1";
import module namespace stats = "urn:jvmscope:stats:1";

declare variable $SYNCHRONIZED := 32;

let $sites := cct:by-id(
  for $site in $classes//dcg:callSite[@opcode]
  return map {
    "id": string($site/@id),
    "caller": string($site/../@id),
    "flags": xs:integer($site/../@accessFlags)
  })
let $before-return := cct:by-id(
  for $site in $classes//dcg:callSite[@opcode],
      $invoke in $site/../dcg:basicBlock/dcg:instruction[@offset = $site/@offset],
      $next in $classes//dcg:instruction[xs:integer(@id) = xs:integer($invoke/@id) + 1]
  where $next/@opcode = ("ireturn", "lreturn", "freturn", "dreturn", "areturn", "return")
  return map { "id": string($site/@id) })
let $folded := (cct:moved-calls($cct), cct:surplus-calls($cct))
let $edges := cct:edges(cct:counted-calls($cct), $folded)
let $calls :=
  for $edge in $edges[map:contains($sites, ?site)]
  let $site := $sites($edge?site)
  return map {
    "n": $edge?calls,
    "is_recursive": $site?caller eq $edge?callee,
    "is_tail": map:contains($before-return, $edge?site)
      and not(hierarchy:has-flag($site?flags, $SYNCHRONIZED))
  }
let $n-calls := sum($calls?n)
let $n-tail := sum($calls[?is_tail]?n)
let $n-recursive := sum($calls[?is_recursive]?n)
let $n-recursive-tail := sum($calls[?is_recursive][?is_tail]?n)
return map {
  "n_calls": $n-calls,
  "n_tail_calls": $n-tail,
  "tail_share": stats:share($n-tail, $n-calls),
  "n_recursive_calls": $n-recursive,
  "n_recursive_tail": $n-recursive-tail,
  "recursive_tail_share": stats:share($n-recursive-tail, $n-recursive)
}
