(:~
 : @id           objects.nursery
 : @name         Objects that die young
 : @description  Objects that live no longer than a nursery takes to fill: their lifetime is at most
 :               its size (4 MiB). All others would be copied out of it, or are alive when the VM
 :               ends. Objects whose allocation was not seen are left out.
 : @kind         metric
 : @version      1
 : @grain        run
 : @param        nursery integer 4194304 size of the nursery, in bytes; exact up to eight binary digits and zeros
 : @range        nursery [0, )
 : @column       n_objects    integer  object  objects allocated
 : @column       n_young      integer  object  objects that live no longer than the nursery takes to fill
 : @column       young_share  number   1       share of these
 : @column       n_alive      integer  object  objects that are alive when the VM ends
 : @column       alive_share  number   1       share of these
 : @sums         n_objects n_young n_alive
 : @shares       young_share alive_share
 : @better       none
 : @requires     object_lifetime
 : @source       METRICS objects.lifetime; Sarimbekov et al. 2013, Table 1
 : @tags         objects lifetimes paper
 :)
import module namespace allocated = "urn:jvmscope:allocated:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $lived := $cct//dcg:lifetime
where exists($lived)
let $n-objects := allocated:objects($lived)
let $n-young := allocated:objects($lived[@lifetimeBytes and xs:integer(@lifetimeBytes) le $nursery])
let $n-alive := allocated:objects($lived[not(@lifetimeBytes)])
return map {
  "n_objects": $n-objects,
  "n_young": $n-young,
  "young_share": stats:share($n-young, $n-objects),
  "n_alive": $n-alive,
  "alive_share": stats:share($n-alive, $n-objects)
}
