(:~
 : @id           objects.live_curve
 : @name         Live objects by clock
 : @description  Objects born, dead and alive, and their bytes, while the program allocates: for each
 :               part of the clock, which is the shortest power of two of bytes so that there are at
 :               most a number of parts (100), but no shorter than a tick of the recording. Alive is
 :               what could still be reached when the part ended. In a scope, the objects that it
 :               allocated, up to the last part in which one of them was born or died; the clock is
 :               of all. Objects whose allocation was not seen are left out.
 : @kind         table
 : @version      1
 : @grain        bin
 : @param        parts integer 100 most parts of the clock
 : @range        parts [1, )
 : @column       clock_bytes  integer          bytes that the program has allocated at the end of the part
 : @column       n_born       integer  object  objects allocated in the part
 : @column       born_bytes   integer  byte    bytes of these
 : @column       n_died       integer  object  objects that died in the part
 : @column       died_bytes   integer  byte    bytes of these
 : @column       n_live       integer  object  objects alive at the end of the part
 : @column       live_bytes   integer  byte    bytes of these
 : @sums         n_born born_bytes n_died died_bytes
 : @levels       n_live live_bytes
 : @plot         line clock_bytes live_bytes
 : @better       none
 : @requires     object_presence
 : @source       Dufour et al. 2003 (*J), liveness; Hertz et al. 2002
 : @tags         objects lifetimes starj
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
let $last := max($ticks?clock)
let $part := max(($length, stats:doubling-bin(($last + $parts - 1) idiv $parts)))
let $grown := fold-left($ticks, [[0, 0, 0]], function($before, $each) {
  let $live := $before(array:size($before))
  return array:append($before, [
    $each?clock,
    $live(2) + $each?n_born - $each?n_died,
    $live(3) + $each?born_bytes - $each?died_bytes
  ])
})
for $number in 1 to ($last + $part - 1) idiv $part
let $end := $number * $part
let $here := $ticks[?clock le $end and ?clock gt $end - $part]
let $live := $grown(1 + count($ticks[?clock le $end]))
return map {
  "clock_bytes": $end,
  "n_born": sum($here?n_born),
  "born_bytes": sum($here?born_bytes),
  "n_died": sum($here?n_died),
  "died_bytes": sum($here?died_bytes),
  "n_live": $live(2),
  "live_bytes": $live(3)
}
