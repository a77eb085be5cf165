(:~
 : @id           native.context_times
 : @name         Processor time of native methods by context
 : @description  For each context: the processor time of native methods that it called itself, and
 :               of those below it in the scope. The Java methods that a native method calls back
 :               are below it; their time is not native. Contexts without such time below are left
 :               out. Differs from run to run.
 : @kind         table
 : @version      2
 : @grain        context
 : @column       context_id    integer      context
 : @column       self_ns       integer  ns  processor time of native methods in the context itself
 : @column       inclusive_ns  integer  ns  processor time in its subtree, including itself
 : @column       time_share    number   1   inclusive_ns as a share of that of the scope
 : @sums         self_ns
 : @levels       inclusive_ns
 : @shares       time_share
 : @sort         inclusive_ns
 : @better       none
 : @param        min_ns integer 1 leave out contexts with less time in the subtree
 : @requires     context_native_time, context, unfolded
 : @source       METRICS native code
 : @tags         native time context
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $all-ns := sum($cct//dcg:context/dcg:nativeCallsTime ! xs:integer(@selfNs))
let $spent :=
  let $own :=
    for $context in $cct//dcg:context, $native in $context/dcg:nativeCallsTime
    group by $id := xs:integer($context/@id)
    return map { "id": $id, "ns": sum($native ! xs:integer(@selfNs)) }
  for $context in $cct//dcg:context, $below in $own
  let $id := xs:integer($context/@id), $end := $id + xs:integer($context/@size)
  where $below?id ge $id and $below?id lt $end
  let $ns := $below?ns
  let $own-ns := if ($below?id eq $id) then $ns else 0
  group by $key := $id
  let $inclusive-ns := sum($ns)
  where $inclusive-ns ge 1 and $inclusive-ns ge $min_ns
  return map { "id": $key, "own_ns": sum($own-ns), "ns": $inclusive-ns }
for $each in $spent
order by $each?id
return map {
  "context_id": $each?id,
  "self_ns": $each?own_ns,
  "inclusive_ns": $each?ns,
  "time_share": stats:share($each?ns, $all-ns)
}
