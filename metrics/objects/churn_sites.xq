(:~
 : @id           objects.churn_sites
 : @name         Churn distance of each instruction that allocates
 : @description  For each instruction that allocated and each type: how far from there the objects
 :               died, as objects.churn says; those without a distance have none in the mean.
 : @kind         table
 : @version      1
 : @grain        method
 : @column       method_id      integer          allocating method
 : @column       offset         integer          offset of the instruction in its code; null: none
 : @column       opcode         text             the instruction's opcode; null: none
 : @column       type           text             class in JVM form, or descriptor of the array
 : @column       n_objects      integer  object  objects that died
 : @column       mean_distance  number   call    mean of their churn distances
 : @column       max_distance   integer  call    largest of their churn distances
 : @sums         n_objects
 : @levels       mean_distance max_distance
 : @sort         n_objects
 : @better       none
 : @requires     object_churn, context, instruction
 : @source       METRICS objects.churn, the numbers for each site
 : @tags         objects churn method
 :)
import module namespace allocated = "urn:jvmscope:allocated:1";

let $by-instructions :=
  for $context in $cct//dcg:context, $each in $context/dcg:churn
  for $instruction in $classes//dcg:instruction[@id = $each/@instruction]
  group by
    $method := $context/@method, $id := $instruction/@id, $offset := $instruction/@offset,
    $opcode := string($instruction/@opcode), $type := string($each/@type),
    $distance := $each/@distance
  return map {
    "method_id": xs:integer($method),
    "offset": xs:integer($offset),
    "opcode": $opcode,
    "type": $type,
    "distance": xs:integer($distance),
    "n_objects": allocated:objects($each)
  }
let $by-others :=
  for $context in $cct//dcg:context, $each in $context/dcg:churn[not(@instruction)]
  group by $method := $context/@method, $type := string($each/@type), $distance := $each/@distance
  return map {
    "method_id": xs:integer($method),
    "type": $type,
    "distance": xs:integer($distance),
    "n_objects": allocated:objects($each)
  }
for $each in ($by-instructions, $by-others)
group by
  $method := $each?method_id, $offset := $each?offset, $opcode := $each?opcode, $type := $each?type
let $near := $each[exists(?distance)]
let $n-calls := sum($near ! (?distance * ?n_objects))
order by $method empty greatest, $offset empty greatest, $type
return map {
  "method_id": $method,
  "offset": $offset,
  "opcode": $opcode,
  "type": $type,
  "n_objects": sum($each?n_objects),
  "mean_distance":
    if (empty($near)) then () else xs:double($n-calls) div xs:double(sum($near?n_objects)),
  "max_distance": max($near?distance)
}
