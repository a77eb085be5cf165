(:~
 : @id           hashcodes.distribution
 : @name         Objects by calls for their hash codes
 : @description  Distribution of the objects that were asked for their hash codes over the number of
 :               calls, for each kind of hashcodes.calls. The bins are 1, 2, 3 to 4, 5 to 8 and so
 :               on, named by their largest number; the last one, without a number, is of more than
 :               1,048,576 calls. Objects that nobody asked are in none; hashcodes.unasked counts
 :               them, if allocations were recorded, too. A scope selects objects by their class, not
 :               by who asks: a String that the application asks is of the JDK, so the scope
 :               application leaves it out.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       kind           text             overridden, identity or default
 : @column       calls          integer          largest number of calls of the bin
 : @column       n_objects      integer  object  objects with so many
 : @column       objects_share  number   1       share of the objects of the kind
 : @sums         n_objects within kind
 : @shares       objects_share
 : @plot         bar calls n_objects kind
 : @better       none
 : @requires     hash_calls
 : @source       METRICS hashcodes; Sarimbekov et al. 2013, section 2.2.2
 : @tags         hashcodes objects paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $binned :=
  for $each in $classes//dcg:hashCalls
  let $n-objects := xs:integer($each/@nObjects)
  group by $kind := string($each/@kind), $calls := $each/@maxCalls
  return map { "kind": $kind, "calls": xs:integer($calls), "n_objects": sum($n-objects) }
for $kind in ("default", "identity", "overridden")
let $of-kind := $binned[?kind = $kind]
let $n-all-objects := sum($of-kind?n_objects)
return
  for $each in $of-kind
  order by $each?calls empty greatest
  return map {
    "kind": $kind,
    "calls": $each?calls,
    "n_objects": $each?n_objects,
    "objects_share": stats:share($each?n_objects, $n-all-objects)
  }
