(:~
 : @id           immutability.objects
 : @name         Immutable objects and classes
 : @description  Watched objects whose fields are all immutable, and classes of which this is true of
 :               all watched objects. An object with a virgin field is not immutable, even if
 :               nothing was written. Objects without fields, and those with a field that is not
 :               watched, are counted apart.
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_objects                integer  object  watched objects with fields that are all watched
 : @column       n_immutable              integer  object  of these, objects whose fields are all immutable
 : @column       n_mutable                integer  object  of these, objects with a mutable field
 : @column       immutable_share          number   1       n_immutable as a share of n_objects
 : @column       n_without_fields         integer  object  watched objects without fields
 : @column       n_partly_watched         integer  object  watched objects with a field that is not watched
 : @column       n_classes                integer  class   classes of the objects in n_objects
 : @column       n_immutable_classes      integer  class   of these, classes whose objects in n_objects are all immutable
 : @column       immutable_classes_share  number   1       n_immutable_classes as a share of n_classes
 : @sums         n_objects n_immutable n_mutable n_without_fields n_partly_watched
 : @shares       immutable_share immutable_classes_share
 : @levels       n_classes n_immutable_classes
 : @better       none
 : @requires     object_immutability, watched_class
 : @source       METRICS immutability; Sarimbekov et al. 2013, Table 1, section 2.2.1 and Figure 2
 : @tags         immutability objects paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $counted :=
  for $each in $classes//dcg:objectImmutability, $watched in $classes//dcg:watchedClass
  where $watched/@class = $each/@class
  let $n-fields := xs:integer($watched/@nFields)
  return map {
    "known": if ($n-fields eq 0) then "none"
             else if ($n-fields eq xs:integer($watched/@nWatchedFields)) then "all" else "some",
    "n_objects": xs:integer($each/@nObjects),
    "n_immutable": xs:integer($each/@nImmutable),
    "n_mutable": xs:integer($each/@nMutable)
  }
let $known := $counted[?known = "all"]
let $n-objects := sum($known?n_objects)
let $n-immutable := sum($known?n_immutable)
let $n-classes := count($known)
let $n-immutable-classes := count($known[?n_immutable = ?n_objects])
return map {
  "n_objects": $n-objects,
  "n_immutable": $n-immutable,
  "n_mutable": sum($known?n_mutable),
  "immutable_share": stats:share($n-immutable, $n-objects),
  "n_without_fields": sum($counted[?known = "none"]?n_objects),
  "n_partly_watched": sum($counted[?known = "some"]?n_objects),
  "n_classes": $n-classes,
  "n_immutable_classes": $n-immutable-classes,
  "immutable_classes_share": stats:share($n-immutable-classes, $n-classes)
}
