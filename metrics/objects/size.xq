(:~
 : @id           objects.size
 : @name         Object sizes
 : @description  Distribution of the sizes of allocated objects in bytes with header, as the VM makes
 :               them without the recording; arrays apart. The bins are each multiple of 8 up to 64,
 :               then double, and are named by their largest size. Objects of unknown size, as those
 :               of Class, are left out; allocations.run counts them.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       kind           text             array, or instance: any other object
 : @column       size           integer          largest size of the bin, in bytes
 : @column       n_objects      integer  object  objects of such a size
 : @column       objects_share  number   1       share of all objects of the kind
 : @column       n_bytes        integer  byte    bytes of these objects
 : @column       bytes_share    number   1       share of all bytes of the kind
 : @sums         n_objects n_bytes
 : @shares       objects_share bytes_share
 : @plot         bar size n_objects kind
 : @better       none
 : @requires     allocation
 : @source       METRICS objects.size; Sarimbekov et al. 2013, Table 1; Dufour et al. 2003 (*J)
 :               memory.objectSize, whose bins are of words and without the header
 : @tags         objects allocations paper starj
 :)
import module namespace allocated = "urn:jvmscope:allocated:1";
import module namespace stats = "urn:jvmscope:stats:1";

declare function local:bin($size as xs:integer) as xs:integer {
  if ($size le 64) then ($size + 7) idiv 8 * 8 else stats:doubling-bin($size)
};

let $sized :=
  for $each in $cct//dcg:allocation[@sizeBytes]
  group by
    $kind := if (starts-with($each/@type, "[")) then "array" else "instance",
    $size := $each/@sizeBytes
  return map {
    "kind": $kind,
    "size": xs:integer($size),
    "n_objects": allocated:objects($each),
    "n_bytes": allocated:bytes($each)
  }
for $kind in ("array", "instance")
let $of-kind := $sized[?kind = $kind]
let $n-objects := sum($of-kind?n_objects)
let $n-bytes := sum($of-kind?n_bytes)
return
  for $each in $of-kind
  group by $bin := local:bin($each?size)
  order by $bin
  return map {
    "kind": $kind,
    "size": $bin,
    "n_objects": sum($each?n_objects),
    "objects_share": stats:share(sum($each?n_objects), $n-objects),
    "n_bytes": sum($each?n_bytes),
    "bytes_share": stats:share(sum($each?n_bytes), $n-bytes)
  }
