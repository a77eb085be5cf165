(:~
 : @id           locking.distribution
 : @name         Locked objects by operations
 : @description  Distribution of the locked objects over the operations on their monitors: entries
 :               and waits. The bins are 1, 2, 3 to 4, 5 to 8 and so on, named by their largest
 :               number. A scope selects objects by their class, not by who locks them.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       n_operations   integer          largest number of operations of the bin
 : @column       n_objects      integer  object  objects with so many
 : @column       objects_share  number   1       share of all locked objects
 : @sums         n_objects
 : @shares       objects_share
 : @plot         bar n_operations n_objects
 : @better       none
 : @requires     lock_operations
 : @source       METRICS locking
 : @tags         locking objects concurrency
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $binned :=
  for $each in $classes//dcg:lockOperations
  let $n-objects := xs:integer($each/@nObjects)
  group by $n-operations := xs:integer($each/@maxOperations)
  return map { "n_operations": $n-operations, "n_objects": sum($n-objects) }
let $n-all-objects := sum($binned?n_objects)
for $each in $binned
order by $each?n_operations
return map {
  "n_operations": $each?n_operations,
  "n_objects": $each?n_objects,
  "objects_share": stats:share($each?n_objects, $n-all-objects)
}
