(:~
 : @id           allocations.types
 : @name         Objects and bytes allocated, by type
 : @description  For each class of objects and type of arrays: the objects that the program
 :               allocated, and their bytes with headers. Classes of the same name count together.
 :               Objects of unknown size, as those of Class, have no bytes.
 : @kind         metric
 : @version      1
 : @grain        class
 : @column       type           text             class in JVM form, or descriptor of the array
 : @column       n_objects      integer  object  objects allocated
 : @column       objects_share  number   1       share of all objects
 : @column       n_bytes        integer  byte    bytes of these objects
 : @column       bytes_share    number   1       share of all bytes
 : @sums         n_objects n_bytes
 : @shares       objects_share bytes_share
 : @sort         n_bytes
 : @plot         bar type n_bytes
 : @better       none
 : @requires     allocation
 : @source       METRICS allocations
 : @tags         allocations objects
 :)
import module namespace allocated = "urn:jvmscope:allocated:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $made :=
  for $each in $cct//dcg:allocation
  group by $type := string($each/@type)
  return map {
    "type": $type,
    "n_objects": allocated:objects($each),
    "n_bytes": allocated:bytes($each)
  }
let $n-all := sum($made?n_objects)
let $n-all-bytes := sum($made?n_bytes)
for $each in $made
order by $each?type
return map {
  "type": $each?type,
  "n_objects": $each?n_objects,
  "objects_share": stats:share($each?n_objects, $n-all),
  "n_bytes": $each?n_bytes,
  "bytes_share": stats:share($each?n_bytes, $n-all-bytes)
}
