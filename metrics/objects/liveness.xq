(:~
 : @id           objects.liveness
 : @name         Live objects
 : @description  Objects, and their bytes, that could still be reached while the program allocated:
 :               the most, the average, and at the end. They are looked at whenever a tick of the
 :               recording's clock ends, at most 512 times: see table object_presence. In a scope,
 :               the objects that it allocated, up to the last tick in which one of them was born or
 :               died. Objects whose allocation was not seen are left out.
 : @kind         metric
 : @version      1
 : @grain        run
 : @column       n_objects         integer  object  objects born
 : @column       n_bytes           integer  byte    bytes of these
 : @column       max_live_objects  integer  object  the most objects alive at the end of a tick
 : @column       max_live_bytes    integer  byte    the most bytes alive at the end of a tick
 : @column       max_share         number   1       share of all bytes born that is alive then
 : @column       mean_live_bytes   number   byte    bytes alive at the end of a tick, on average
 : @column       n_alive           integer  object  objects alive when the VM ends
 : @column       alive_bytes       integer  byte    bytes of these
 : @column       tick_bytes        integer  byte    length of a tick
 : @sums         n_objects n_bytes n_alive alive_bytes
 : @shares       max_share
 : @levels       max_live_objects max_live_bytes mean_live_bytes tick_bytes
 : @better       none
 : @requires     object_presence
 : @source       Dufour et al. 2003 (*J), liveness; Hertz et al. 2002
 : @tags         objects lifetimes starj dacapo
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $ticks :=
  for $each in $cct//dcg:presence
  group by $clock := xs:integer($each/@clockBytes)
  order by $clock
  return map {
    "clock": $clock,
    "length": max(for $row in $each return xs:integer($row/@tickBytes)),
    "n_born": sum(for $row in $each return xs:integer($row/dcg:bornCount)),
    "born_bytes": sum(for $row in $each return xs:integer($row/@bornBytes)),
    "n_died": sum(for $row in $each return xs:integer($row/dcg:diedCount)),
    "died_bytes": sum(for $row in $each return xs:integer($row/@diedBytes))
  }
where exists($ticks)
let $length := max($ticks?length)
let $n-ticks := max($ticks?clock) idiv $length
let $upto := fold-left($ticks, map { "n": 0, "bytes": 0, "most": (), "most_bytes": (), "sum": 0 },
  function($live, $each) {
    let $n := $live?n + $each?n_born - $each?n_died
    let $grown := $each?born_bytes - $each?died_bytes
    return map {
      "n": $n,
      "bytes": $live?bytes + $grown,
      "most": max(($live?most, $n)),
      "most_bytes": max(($live?most_bytes, $live?bytes + $grown)),
      "sum": $live?sum + $grown * ($n-ticks - $each?clock idiv $length + 1)
    }
  })
let $n-bytes := sum($ticks?born_bytes)
return map {
  "n_objects": sum($ticks?n_born),
  "n_bytes": $n-bytes,
  "max_live_objects": $upto?most,
  "max_live_bytes": $upto?most_bytes,
  "max_share": stats:share($upto?most_bytes, $n-bytes),
  "mean_live_bytes": stats:share($upto?sum, $n-ticks),
  "n_alive": $upto?n,
  "alive_bytes": $upto?bytes,
  "tick_bytes": $length
}
