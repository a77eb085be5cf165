(:~
 : @id           hashcodes.types
 : @name         Calls for hash codes, by type
 : @description  For each class of objects and type of arrays whose hash codes were asked for: calls
 :               of each kind of hashcodes.calls, and the objects that received one. Classes of the
 :               same name count together. A scope selects objects by their class, not by who asks:
 :               a String that the application asks is of the JDK, so the scope application leaves
 :               it out.
 : @kind         metric
 : @version      1
 : @grain        class
 : @column       type                  text             class in JVM form, or descriptor of the array
 : @column       n_overridden          integer  call    calls of a hashCode that a class overrides
 : @column       n_identity            integer  call    calls of System.identityHashCode
 : @column       n_default             integer  call    calls of the hashCode of Object
 : @column       n_overridden_objects  integer  object  objects that received calls of the first kind
 : @column       n_identity_objects    integer  object  of the second
 : @column       n_default_objects     integer  object  of the third
 : @sums         n_overridden n_identity n_default n_overridden_objects n_identity_objects
 :               n_default_objects
 : @sort         n_overridden
 : @better       none
 : @requires     object_hash
 : @source       METRICS hashcodes
 : @tags         hashcodes objects
 :)
for $each in $classes//dcg:objectHash
let $kind := string($each/@kind)
let $n-calls := xs:integer($each/@nCalls)
let $n-objects := xs:integer($each/@nObjects)
let $n-overridden := if ($kind = "overridden") then $n-calls else 0
let $n-identity := if ($kind = "identity") then $n-calls else 0
let $n-default := if ($kind = "default") then $n-calls else 0
let $n-overridden-objects := if ($kind = "overridden") then $n-objects else 0
let $n-identity-objects := if ($kind = "identity") then $n-objects else 0
let $n-default-objects := if ($kind = "default") then $n-objects else 0
group by $type := string($each/@type)
order by $type
return map {
  "type": $type,
  "n_overridden": sum($n-overridden),
  "n_identity": sum($n-identity),
  "n_default": sum($n-default),
  "n_overridden_objects": sum($n-overridden-objects),
  "n_identity_objects": sum($n-identity-objects),
  "n_default_objects": sum($n-default-objects)
}
