(:~
 : @id           allocations.run
 : @name         Objects and bytes allocated
 : @description  Objects that the program allocated, arrays among them, and their bytes with headers,
 :               as the VM makes them without the recording; in total, per thousand bytecodes
 :               executed, and the average size. Objects of unknown size, as those of Class, have no
 :               bytes and are left out of the average. What the VM allocates without a constructor,
 :               such as backtraces, is not counted.
 : @kind         metric
 : @version      1
 : @grain        run
 : @column       n_objects       integer  object          objects allocated, with arrays
 : @column       n_bytes         integer  byte            bytes of these objects
 : @column       n_instances     integer  object          objects that are not arrays
 : @column       n_arrays        integer  object          arrays
 : @column       n_array_bytes   integer  byte            bytes of the arrays
 : @column       n_unsized       integer  object          objects of unknown size
 : @column       object_density  number   1/kbytecode     objects per thousand bytecodes
 : @column       byte_density    number   byte/kbytecode  bytes per thousand bytecodes
 : @column       average_size    number   byte            bytes of an object of known size
 : @column       n_bytecodes     integer  bytecode        bytecodes executed
 : @sums         n_objects n_bytes n_instances n_arrays n_array_bytes n_unsized n_bytecodes
 : @levels       object_density byte_density average_size
 : @better       none
 : @requires     allocation, thread_method
 : @source       METRICS allocations; Dufour et al. 2003 (*J) base.objects, base.bytes,
 :               memory.objectAllocationDensity, memory.byteAllocationDensity,
 :               memory.averageObjectSize; Prokopec et al. 2019 (Renaissance) object and array, which
 :               they divide by reference cycles; DaCapo Chopin AOA
 : @tags         allocations objects starj renaissance dacapo
 :)
import module namespace allocated = "urn:jvmscope:allocated:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $made := $cct//dcg:allocation
let $arrays := $made[starts-with(@type, "[")]
let $n-objects := allocated:objects($made)
let $n-bytes := allocated:bytes($made)
let $n-arrays := allocated:objects($arrays)
let $n-unsized := allocated:objects($made[not(@sizeBytes)])
let $n-bytecodes := sum(for $method in $methods return xs:integer($method/dcg:bytecodeCount))
return map {
  "n_objects": $n-objects,
  "n_bytes": $n-bytes,
  "n_instances": $n-objects - $n-arrays,
  "n_arrays": $n-arrays,
  "n_array_bytes": allocated:bytes($arrays),
  "n_unsized": $n-unsized,
  "object_density": stats:per-thousand($n-objects, $n-bytecodes),
  "byte_density": stats:per-thousand($n-bytes, $n-bytecodes),
  "average_size": stats:share($n-bytes, $n-objects - $n-unsized),
  "n_bytecodes": $n-bytecodes
}
