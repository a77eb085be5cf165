(:~
 : @id           native.contexts
 : @name         Calls of native methods by context
 : @description  For each context: the calls of native methods that it made itself, and those of the
 :               contexts below it in the scope. A native method is a context of its own; where the
 :               calling context tree has none, as for natives that override a method, its calls are
 :               of the context that called. Contexts without such calls below are left out.
 : @kind         table
 : @version      2
 : @grain        context
 : @column       context_id       integer        context
 : @column       n_calls          integer  call  calls of native methods in the context itself
 : @column       inclusive_calls  integer  call  calls in its subtree, including itself
 : @sums         n_calls
 : @levels       inclusive_calls
 : @sort         inclusive_calls
 : @better       none
 : @param        min_calls integer 1 leave out contexts with fewer calls in the subtree
 : @requires     context_native, context, unfolded
 : @source       METRICS native code
 : @tags         native calls context
 :)
let $own :=
  for $context in $cct//dcg:context, $native in $context/dcg:nativeCalls
  group by $id := xs:integer($context/@id)
  return map { "id": $id, "n": sum($native ! xs:integer(dcg:callCount)) }
for $context in $cct//dcg:context, $below in $own
let $id := xs:integer($context/@id), $end := $id + xs:integer($context/@size)
where $below?id ge $id and $below?id lt $end
let $n := $below?n
let $n-own := if ($below?id eq $id) then $n else 0
group by $key := $id
let $n-inclusive := sum($n)
where $n-inclusive ge 1 and $n-inclusive ge $min_calls
order by $key
return map { "context_id": $key, "n_calls": sum($n-own), "inclusive_calls": $n-inclusive }
