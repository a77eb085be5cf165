(:~
 : @id           locking.types
 : @name         Locked objects, by type
 : @description  For each class of objects and type of arrays that were locked: how many, by how
 :               many entries and waits, and how deep. Classes of the same name count together. A
 :               scope selects objects by their class, not by who locks them: an Object that the
 :               application locks is of the JDK, so the scope application leaves it out.
 :               locking.operations counts entries by the method that locks.
 : @kind         metric
 : @version      1
 : @grain        class
 : @column       type              text                class in JVM form, or descriptor of the array
 : @column       n_objects         integer  object     objects that were locked
 : @column       n_operations      integer  execution  entries of their monitors, and waits
 : @column       operations_share  number   1          share of all operations
 : @column       n_shared_objects  integer  object     objects that two or more threads locked
 : @column       max_depth         integer  execution  deepest nesting
 : @sums         n_objects n_operations n_shared_objects
 : @shares       operations_share
 : @levels       max_depth
 : @sort         n_operations
 : @plot         bar type n_operations
 : @better       none
 : @requires     object_lock
 : @source       METRICS locking
 : @tags         locking objects concurrency
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $typed :=
  for $each in $classes//dcg:objectLock
  let $n-objects := xs:integer($each/@nObjects)
  let $n-operations := xs:integer($each/@nBlockEntries) + xs:integer($each/@nMethodEntries)
                       + xs:integer($each/@nWaits)
  let $n-shared := xs:integer($each/@nSharedObjects)
  let $max-depth := xs:integer($each/@maxDepth)
  group by $type := string($each/@type)
  return map {
    "type": $type,
    "n_objects": sum($n-objects),
    "n_operations": sum($n-operations),
    "n_shared_objects": sum($n-shared),
    "max_depth": max($max-depth)
  }
let $n-all-operations := sum($typed?n_operations)
for $each in $typed
order by $each?type
return map {
  "type": $each?type,
  "n_objects": $each?n_objects,
  "n_operations": $each?n_operations,
  "operations_share": stats:share($each?n_operations, $n-all-operations),
  "n_shared_objects": $each?n_shared_objects,
  "max_depth": $each?max_depth
}
