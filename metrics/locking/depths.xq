(:~
 : @id           locking.depths
 : @name         Lock nesting
 : @description  How deep locks are nested: a thread that holds a monitor and enters it again
 :               reaches depth 2. Objects count at the deepest nesting of their lock, entries at the
 :               depth that they reached. Depth 64 stands for 64 and more. A scope selects objects
 :               by their class, not by who locks them.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       depth          integer             entries of one monitor that one thread had not left
 : @column       n_objects      integer  object     objects whose deepest nesting it is
 : @column       objects_share  number   1          share of all locked objects
 : @column       n_entries      integer  execution  entries that reached it
 : @column       entries_share  number   1          share of all entries
 : @sums         n_objects n_entries
 : @shares       objects_share entries_share
 : @plot         bar depth n_entries
 : @better       none
 : @requires     lock_depth
 : @source       METRICS locking; Sarimbekov et al. 2013, Table 1
 : @tags         locking objects concurrency paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $nested :=
  for $each in $classes//dcg:lockDepth
  let $n-objects := xs:integer($each/@nObjects)
  let $n-entries := xs:integer($each/@nEntries)
  group by $depth := xs:integer($each/@depth)
  return map { "depth": $depth, "n_objects": sum($n-objects), "n_entries": sum($n-entries) }
let $n-all-objects := sum($nested?n_objects)
let $n-all-entries := sum($nested?n_entries)
for $each in $nested
order by $each?depth
return map {
  "depth": $each?depth,
  "n_objects": $each?n_objects,
  "objects_share": stats:share($each?n_objects, $n-all-objects),
  "n_entries": $each?n_entries,
  "entries_share": stats:share($each?n_entries, $n-all-entries)
}
