(:~
 : @id           sharing.objects
 : @name         Shared objects
 : @description  Watched objects that several threads access. A field is read-shared if two or more
 :               threads read it and only the allocating thread wrote it, and write-shared if two or
 :               more threads wrote it. An object is fully shared if all of its fields are, and
 :               partially if some are and some are not. The writes of constructors count; the zeros
 :               that objects are made with do not. Objects without fields, and those with a field
 :               that is not watched, are counted apart. Accesses by reflection, handles, atomic
 :               updaters and Unsafe count like those by bytecode. Accesses by native code, the VM
 :               and its own threads are not seen.
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_objects                  integer  object  watched objects with fields that are all watched
 : @column       n_partially_read_shared    integer  object  of these, objects of which some fields are read-shared
 : @column       n_fully_read_shared        integer  object  of these, objects of which all fields are read-shared
 : @column       n_partially_write_shared   integer  object  of these, objects of which some fields are write-shared
 : @column       n_fully_write_shared       integer  object  of these, objects of which all fields are write-shared
 : @column       partially_read_share       number   1       n_partially_read_shared as a share of n_objects
 : @column       fully_read_share           number   1       n_fully_read_shared as a share of n_objects
 : @column       partially_write_share      number   1       n_partially_write_shared as a share of n_objects
 : @column       fully_write_share          number   1       n_fully_write_shared as a share of n_objects
 : @column       n_without_fields           integer  object  watched objects without fields
 : @column       n_partly_watched           integer  object  watched objects with a field that is not watched
 : @sums         n_objects n_partially_read_shared n_fully_read_shared n_partially_write_shared
 :               n_fully_write_shared n_without_fields n_partly_watched
 : @shares       partially_read_share fully_read_share partially_write_share fully_write_share
 : @better       none
 : @requires     object_sharing, watched_class
 : @source       METRICS sharing; Sarimbekov et al. 2013, Table 1 and section 2.2.1
 : @tags         sharing objects concurrency paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $counted :=
  for $each in $classes//dcg:objectSharing, $watched in $classes//dcg:watchedClass
  where $watched/@class = $each/@class
  let $n-fields := xs:integer($watched/@nFields)
  return map {
    "known": if ($n-fields eq 0) then "none"
             else if ($n-fields eq xs:integer($watched/@nWatchedFields)) then "all" else "some",
    "n_objects": xs:integer($each/@nObjects),
    "partially_read": xs:integer($each/@nPartiallyReadShared),
    "fully_read": xs:integer($each/@nFullyReadShared),
    "partially_write": xs:integer($each/@nPartiallyWriteShared),
    "fully_write": xs:integer($each/@nFullyWriteShared)
  }
let $known := $counted[?known = "all"]
let $n-objects := sum($known?n_objects)
let $n-partially-read := sum($known?partially_read)
let $n-fully-read := sum($known?fully_read)
let $n-partially-write := sum($known?partially_write)
let $n-fully-write := sum($known?fully_write)
return map {
  "n_objects": $n-objects,
  "n_partially_read_shared": $n-partially-read,
  "n_fully_read_shared": $n-fully-read,
  "n_partially_write_shared": $n-partially-write,
  "n_fully_write_shared": $n-fully-write,
  "partially_read_share": stats:share($n-partially-read, $n-objects),
  "fully_read_share": stats:share($n-fully-read, $n-objects),
  "partially_write_share": stats:share($n-partially-write, $n-objects),
  "fully_write_share": stats:share($n-fully-write, $n-objects),
  "n_without_fields": sum($counted[?known = "none"]?n_objects),
  "n_partly_watched": sum($counted[?known = "some"]?n_objects)
}
