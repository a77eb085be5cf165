(:~
 : @id           allocations.methods
 : @name         Objects and bytes allocated by each method
 : @description  For each method that allocated: the objects that it allocated itself, without its
 :               callees, and their bytes with headers. A native method that returns a new object, such
 :               as Object.clone, counts for its caller; so do objects that the VM allocates for a
 :               method, such as an exception. Objects of unknown size, as those of Class, have no
 :               bytes.
 : @kind         table
 : @version      1
 : @grain        method
 : @column       method_id    integer          allocating method
 : @column       n_objects    integer  object  objects allocated
 : @column       n_bytes      integer  byte    bytes of these objects
 : @column       bytes_share  number   1       share of all bytes
 : @sums         n_objects n_bytes
 : @shares       bytes_share
 : @sort         n_bytes
 : @better       none
 : @requires     allocation, context
 : @source       METRICS allocations, the numbers for each method
 : @tags         allocations objects method
 :)
import module namespace allocated = "urn:jvmscope:allocated:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $made :=
  for $context in $cct//dcg:context, $each in $context/dcg:allocation
  group by $method := $context/@method
  return map {
    "method_id": xs:integer($method),
    "n_objects": allocated:objects($each),
    "n_bytes": allocated:bytes($each)
  }
let $n-all-bytes := sum($made?n_bytes)
for $each in $made
order by $each?method_id empty greatest
return map {
  "method_id": $each?method_id,
  "n_objects": $each?n_objects,
  "n_bytes": $each?n_bytes,
  "bytes_share": stats:share($each?n_bytes, $n-all-bytes)
}
