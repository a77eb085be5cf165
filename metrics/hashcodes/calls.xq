(:~
 : @id           hashcodes.calls
 : @name         Calls for hash codes
 : @description  Calls for hash codes by what they reach: a hashCode that a class overrides
 :               (overridden), System.identityHashCode (identity), or the hashCode of Object, not
 :               overridden or called by super (default); and the objects that received such calls.
 :               Calls of the last two by reflection, method handles and native code are not seen. A
 :               scope selects objects by their class, not by who asks: a String that the
 :               application asks is of the JDK, so the scope application leaves it out.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       kind         text             overridden, identity or default
 : @column       n_calls      integer  call    calls
 : @column       calls_share  number   1       share of the calls of all kinds
 : @column       n_objects    integer  object  objects that received one
 : @column       mean_calls   number   call    calls per such object
 : @sums         n_calls
 : @shares       calls_share
 : @levels       n_objects mean_calls
 : @plot         bar kind n_calls
 : @better       none
 : @requires     object_hash
 : @source       METRICS hashcodes; Sarimbekov et al. 2013, Table 1 and section 2.2.2
 : @tags         hashcodes objects paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $hashed :=
  for $each in $classes//dcg:objectHash
  return map {
    "kind": string($each/@kind),
    "n_calls": xs:integer($each/@nCalls),
    "n_objects": xs:integer($each/@nObjects)
  }
let $n-all-calls := sum($hashed?n_calls)
for $kind in ("default", "identity", "overridden")
let $found := $hashed[?kind = $kind]
let $n-calls := sum($found?n_calls)
let $n-objects := sum($found?n_objects)
return map {
  "kind": $kind,
  "n_calls": $n-calls,
  "calls_share": stats:share($n-calls, $n-all-calls),
  "n_objects": $n-objects,
  "mean_calls": stats:share($n-calls, $n-objects)
}
