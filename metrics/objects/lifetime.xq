(:~
 : @id           objects.lifetime
 : @name         Object lifetimes
 : @description  Distribution of the lifetimes of objects: bytes that the program allocated between
 :               the birth of an object and its death, when it could no longer be reached. The bins
 :               are at most a number of bytes (1 MiB), twice as many, and so on, and are named by
 :               their largest lifetime; objects that were alive when the VM ended are apart.
 :               Objects whose allocation was not seen are left out.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @param        first integer 1048576 largest lifetime of the first bin, in bytes; exact up to eight binary digits and zeros
 : @range        first [1, )
 : @column       fate            text             died, or alive: when the VM ended
 : @column       lifetime_bytes  integer          largest lifetime of the bin, in bytes; null: alive
 : @column       n_objects       integer  object  objects of such a lifetime
 : @column       objects_share   number   1       share of all objects
 : @sums         n_objects
 : @shares       objects_share
 : @plot         bar lifetime_bytes n_objects
 : @better       none
 : @requires     object_lifetime
 : @source       METRICS objects.lifetime; Sarimbekov et al. 2013, Table 1; Hertz et al. 2002
 : @tags         objects lifetimes paper
 :)
import module namespace allocated = "urn:jvmscope:allocated:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $n-all := allocated:objects($cct//dcg:lifetime)
let $died :=
  for $each in $cct//dcg:lifetime[@lifetimeBytes]
  group by $bytes := $each/@lifetimeBytes
  return map { "bytes": xs:integer($bytes), "n_objects": allocated:objects($each) }
let $n-alive := allocated:objects($cct//dcg:lifetime[not(@lifetimeBytes)])
return (
  for $each in $died
  group by $bin :=
    $first * max((1, stats:doubling-bin(($each?bytes + $first - 1) idiv $first)))
  order by $bin
  return map {
    "fate": "died",
    "lifetime_bytes": $bin,
    "n_objects": sum($each?n_objects),
    "objects_share": stats:share(sum($each?n_objects), $n-all)
  },
  if ($n-alive eq 0) then ()
  else map {
    "fate": "alive",
    "lifetime_bytes": (),
    "n_objects": $n-alive,
    "objects_share": stats:share($n-alive, $n-all)
  })
