(:~
 : @id           objects.percentiles
 : @name         Percentiles of object sizes
 : @description  The size in bytes with header that at least 10, 50 and 90 percent of the allocated
 :               objects, arrays among them, do not exceed: the smallest such size (nearest rank).
 :               Objects of unknown size, as those of Class, are left out; allocations.run counts
 :               them.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       percentile  number         percent of the objects: 10, 50 or 90
 : @column       size        integer  byte  size that these do not exceed
 : @fixed        percentile
 : @levels       size
 : @better       none
 : @requires     allocation
 : @source       METRICS objects.size; DaCapo Chopin AOS, AOM and AOL, the percentiles 10, 50 and 90
 : @tags         objects allocations dacapo
 :)
import module namespace allocated = "urn:jvmscope:allocated:1";

let $sized :=
  for $each in $cct//dcg:allocation[@sizeBytes]
  group by $size := xs:integer($each/@sizeBytes)
  order by $size
  return map { "size": $size, "n_objects": allocated:objects($each) }
let $n-upto := fold-left($sized?n_objects, [0], function($sums, $n) {
  array:append($sums, $sums(array:size($sums)) + $n)
})
for $percentile in (10, 50, 90)[exists($sized)]
return map {
  "percentile": xs:double($percentile),
  "size": head(
    for $each at $rank in $sized
    where 100 * $n-upto($rank + 1) ge $percentile * $n-upto(count($sized) + 1)
    return $each?size)
}
