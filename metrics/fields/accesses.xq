(:~
 : @id           fields.accesses
 : @name         Field accesses
 : @description  Executions of getfield, putfield, getstatic and putstatic, in total and per
 :               thousand bytecodes executed; by type, on fields that hold a reference (an object or
 :               array) and on fields that hold a primitive. Accesses by reflection, handles, Unsafe
 :               or native code do not count.
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_accesses         integer  execution    executions of all four instructions
 : @column       n_reference        integer  execution    accesses to fields of a reference type
 : @column       n_primitive        integer  execution    accesses to fields of a primitive type
 : @column       n_getfield         integer  execution    executions of getfield
 : @column       n_putfield         integer  execution    executions of putfield
 : @column       n_getstatic        integer  execution    executions of getstatic
 : @column       n_putstatic        integer  execution    executions of putstatic
 : @column       density            number   1/kbytecode  accesses per thousand bytecodes
 : @column       reference_density  number   1/kbytecode  n_reference per thousand bytecodes
 : @column       primitive_density  number   1/kbytecode  n_primitive per thousand bytecodes
 : @column       getfield_density   number   1/kbytecode  n_getfield per thousand bytecodes
 : @column       putfield_density   number   1/kbytecode  n_putfield per thousand bytecodes
 : @column       n_bytecodes        integer  bytecode     bytecodes executed
 : @sums         n_accesses n_reference n_primitive n_getfield n_putfield n_getstatic n_putstatic
 :               n_bytecodes
 : @levels       density reference_density primitive_density getfield_density putfield_density
 : @overview     180 density accesses to fields per thousand bytecodes
 : @better       none
 : @requires     thread_block, basic_block, instruction
 : @source       Dufour et al. 2003 (*J) pointer.fieldAccessDensity, pointer.refFieldAccessDensity,
 :               pointer.nonrefFieldAccessDensity; DaCapo Chopin BGF and BPF, which divide getfield
 :               and putfield by time
 : @tags         fields starj dacapo
 :)
import module namespace blocks = "urn:jvmscope:blocks:1";
import module namespace stats = "urn:jvmscope:stats:1";

declare function local:n($executed as map(*)*, $opcode as xs:string) as xs:integer {
  sum($executed[?opcode = $opcode]?n_executions)
};

let $accesses := (blocks:fields-in-segments($classes, $cct), blocks:fields-in-blocks($classes))
let $n-bytecodes := sum((
  blocks:opcodes-in-segments($classes, $cct), blocks:opcodes-in-blocks($classes))?n_executions)
let $n-accesses := sum($accesses?n_executions)
let $n-reference := sum($accesses[matches(?field, ":[L\[][^:]*$")]?n_executions)
let $n-primitive := $n-accesses - $n-reference
let $n-getfield := local:n($accesses, "getfield")
let $n-putfield := local:n($accesses, "putfield")
return map {
  "n_accesses": $n-accesses,
  "n_reference": $n-reference,
  "n_primitive": $n-primitive,
  "n_getfield": $n-getfield,
  "n_putfield": $n-putfield,
  "n_getstatic": local:n($accesses, "getstatic"),
  "n_putstatic": local:n($accesses, "putstatic"),
  "density": stats:per-thousand($n-accesses, $n-bytecodes),
  "reference_density": stats:per-thousand($n-reference, $n-bytecodes),
  "primitive_density": stats:per-thousand($n-primitive, $n-bytecodes),
  "getfield_density": stats:per-thousand($n-getfield, $n-bytecodes),
  "putfield_density": stats:per-thousand($n-putfield, $n-bytecodes),
  "n_bytecodes": $n-bytecodes
}
