(:~
 : @id           allocations.sites
 : @name         Objects and bytes allocated by each instruction
 : @description  For each instruction that allocated and each type: the objects and their bytes with
 :               headers. The instruction is new, one that makes arrays, or the call of a native
 :               method that returned a new object, such as Object.clone. What the VM or native code
 :               allocated for a method, such as an exception, has a row without an instruction.
 :               Objects of unknown size, as those of Class, have no bytes.
 : @kind         table
 : @version      2
 : @grain        method
 : @column       method_id    integer          allocating method
 : @column       offset       integer          offset of the instruction in its code; null: none
 : @column       opcode       text             the instruction's opcode; null: none
 : @column       line         integer          source line; null: no line numbers, or no instruction
 : @column       type         text             class in JVM form, or descriptor of the array
 : @column       n_objects    integer  object  objects allocated
 : @column       n_bytes      integer  byte    bytes of these objects
 : @column       bytes_share  number   1       share of all bytes
 : @sums         n_objects n_bytes
 : @shares       bytes_share
 : @sort         n_bytes
 : @better       none
 : @requires     allocation, allocation_site, context, instruction
 : @source       METRICS allocations, the numbers for each site
 : @tags         allocations objects method
 :)
import module namespace allocated = "urn:jvmscope:allocated:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $n-all-bytes := allocated:bytes($cct//dcg:allocation)
let $by-instructions :=
  for $context in $cct//dcg:context, $each in $context/dcg:allocation
  for $instruction in $classes//dcg:instruction[@id = $each/@instruction]
  group by
    $method := $context/@method, $id := $instruction/@id, $offset := $instruction/@offset,
    $opcode := string($instruction/@opcode), $line := $instruction/dcg:allocationSite/@line,
    $type := string($each/@type)
  return map {
    "method_id": xs:integer($method),
    "offset": xs:integer($offset),
    "opcode": $opcode,
    "line": xs:integer($line),
    "type": $type,
    "n_objects": allocated:objects($each),
    "n_bytes": allocated:bytes($each)
  }
let $by-others :=
  for $context in $cct//dcg:context, $each in $context/dcg:allocation[not(@instruction)]
  group by $method := $context/@method, $type := string($each/@type)
  return map {
    "method_id": xs:integer($method),
    "type": $type,
    "n_objects": allocated:objects($each),
    "n_bytes": allocated:bytes($each)
  }
for $site in ($by-instructions, $by-others)
order by $site?method_id empty greatest, $site?offset empty greatest, $site?type
return map {
  "method_id": $site?method_id,
  "offset": $site?offset,
  "opcode": $site?opcode,
  "line": $site?line,
  "type": $site?type,
  "n_objects": $site?n_objects,
  "n_bytes": $site?n_bytes,
  "bytes_share": stats:share($site?n_bytes, $n-all-bytes)
}
