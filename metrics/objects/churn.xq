(:~
 : @id           objects.churn
 : @name         Churn distance
 : @description  Distribution of the calls between the context that allocated an object and the one
 :               where it died: up to the closest context above both, and down. Small distances mean
 :               that objects are temporary near the place of their allocation. Objects that died in
 :               another thread have no distance; those that were alive when the VM ended are left
 :               out.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       place          text             near, or elsewhere: in another thread
 : @column       distance       integer          calls up and down; null: elsewhere
 : @column       n_objects      integer  object  objects that died at such a distance
 : @column       objects_share  number   1       share of all objects that died
 : @sums         n_objects
 : @shares       objects_share
 : @plot         bar distance n_objects
 : @better       none
 : @requires     object_churn
 : @source       METRICS objects.churn; Sarimbekov et al. 2013, Table 1 and Figure 1; Sewe et al. 2012
 : @tags         objects churn paper
 :)
import module namespace allocated = "urn:jvmscope:allocated:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $n-all := allocated:objects($cct//dcg:churn)
let $near :=
  for $each in $cct//dcg:churn[@distance]
  group by $distance := $each/@distance
  return map { "distance": xs:integer($distance), "n_objects": allocated:objects($each) }
let $n-elsewhere := allocated:objects($cct//dcg:churn[not(@distance)])
return (
  for $each in $near
  order by $each?distance
  return map {
    "place": "near",
    "distance": $each?distance,
    "n_objects": $each?n_objects,
    "objects_share": stats:share($each?n_objects, $n-all)
  },
  if ($n-elsewhere eq 0) then ()
  else map {
    "place": "elsewhere",
    "distance": (),
    "n_objects": $n-elsewhere,
    "objects_share": stats:share($n-elsewhere, $n-all)
  })
