(:~
 : @id           sharing.needless
 : @name         Needless locks
 : @description  Watched objects that were locked though they need no lock: they are immutable, as
 :               immutability.objects defines it, or none of their fields is shared, as
 :               sharing.objects does. Objects without fields, those with a field that is not
 :               watched, and those that are not watched themselves, as Class objects and arrays, are
 :               counted apart: what their locks protect is elsewhere, or not known. A scope selects
 :               objects by their class, not by who locks them.
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_locked          integer  object  locked objects with fields that are all watched
 : @column       n_immutable       integer  object  of these, objects whose fields are all immutable
 : @column       n_unshared        integer  object  of these, objects without a shared field
 : @column       n_needless        integer  object  of these, objects that are either
 : @column       needless_share    number   1       n_needless as a share of n_locked
 : @column       n_without_fields  integer  object  locked objects without fields, if they are watched
 : @column       n_partly_watched  integer  object  locked objects with a field that is not watched
 : @column       n_unwatched       integer  object  locked objects that are not watched
 : @sums         n_locked n_immutable n_unshared n_needless n_without_fields n_partly_watched
 :               n_unwatched
 : @shares       needless_share
 : @better       none
 : @requires     needless_lock, watched_class, object_lock
 : @source       METRICS sharing
 : @tags         sharing locking objects concurrency
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $counted :=
  for $each in $classes//dcg:needlessLock, $watched in $classes//dcg:watchedClass
  where $watched/@class = $each/@class
  let $n-fields := xs:integer($watched/@nFields)
  return map {
    "known": if ($n-fields eq 0) then "none"
             else if ($n-fields eq xs:integer($watched/@nWatchedFields)) then "all" else "some",
    "n_locked": xs:integer($each/@nLocked),
    "n_immutable": xs:integer($each/@nImmutable),
    "n_unshared": xs:integer($each/@nUnshared),
    "n_both": xs:integer($each/@nImmutableUnshared)
  }
let $known := $counted[?known = "all"]
let $n-locked := sum($known?n_locked)
let $n-immutable := sum($known?n_immutable)
let $n-unshared := sum($known?n_unshared)
let $n-needless := $n-immutable + $n-unshared - sum($known?n_both)
return map {
  "n_locked": $n-locked,
  "n_immutable": $n-immutable,
  "n_unshared": $n-unshared,
  "n_needless": $n-needless,
  "needless_share": stats:share($n-needless, $n-locked),
  "n_without_fields": sum($counted[?known = "none"]?n_locked),
  "n_partly_watched": sum($counted[?known = "some"]?n_locked),
  "n_unwatched": sum(for $each in $classes//dcg:objectLock return xs:integer($each/@nObjects))
                 - sum($counted?n_locked)
}
