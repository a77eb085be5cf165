(:~
 : @id           arrays.accesses
 : @name         Array accesses
 : @description  Executions of array instructions: loads and stores of elements, arraylength, and
 :               array creation (newarray, anewarray, multianewarray); in total and per thousand
 :               bytecodes executed. Numeric elements are byte or boolean, short, int, long, float
 :               and double; char is counted separately. Arrays that native code reads, writes or
 :               creates (System.arraycopy, clone) do not count.
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_accesses         integer  execution    executions of all array instructions
 : @column       n_reference        integer  execution    aaload and aastore
 : @column       n_char             integer  execution    caload and castore
 : @column       n_numeric          integer  execution    loads and stores of numeric elements
 : @column       n_lengths          integer  execution    arraylength
 : @column       n_creations        integer  execution    newarray, anewarray, multianewarray
 : @column       n_aaload           integer  execution    executions of aaload
 : @column       n_aastore          integer  execution    executions of aastore
 : @column       density            number   1/kbytecode  accesses per thousand bytecodes
 : @column       reference_density  number   1/kbytecode  n_reference per thousand bytecodes
 : @column       char_density       number   1/kbytecode  n_char per thousand bytecodes
 : @column       numeric_density    number   1/kbytecode  n_numeric per thousand bytecodes
 : @column       aaload_density     number   1/kbytecode  n_aaload per thousand bytecodes
 : @column       aastore_density    number   1/kbytecode  n_aastore per thousand bytecodes
 : @column       n_bytecodes        integer  bytecode     bytecodes executed
 : @sums         n_accesses n_reference n_char n_numeric n_lengths n_creations n_aaload n_aastore
 :               n_bytecodes
 : @levels       density reference_density char_density numeric_density aaload_density
 :               aastore_density
 : @overview     190 density accesses to arrays per thousand bytecodes
 : @better       none
 : @requires     thread_block, basic_block, instruction
 : @source       Dufour et al. 2003 (*J) data.arrayDensity, data.charArrayDensity,
 :               data.numArrayDensity, data.refArrayDensity; DaCapo Chopin BAL and BAS, which divide
 :               aaload and aastore by time
 : @tags         arrays starj dacapo
 :)
import module namespace blocks = "urn:jvmscope:blocks:1";
import module namespace stats = "urn:jvmscope:stats:1";

declare function local:n($executed as map(*)*, $opcodes as xs:string*) as xs:integer {
  sum($executed[?opcode = $opcodes]?n_executions)
};

let $executed :=
  (blocks:opcodes-in-segments($classes, $cct), blocks:opcodes-in-blocks($classes))
let $n-bytecodes := sum($executed?n_executions)
let $n-aaload := local:n($executed, "aaload")
let $n-aastore := local:n($executed, "aastore")
let $n-char := local:n($executed, ("caload", "castore"))
let $n-numeric := local:n($executed, (
  "baload", "saload", "iaload", "laload", "faload", "daload",
  "bastore", "sastore", "iastore", "lastore", "fastore", "dastore"))
let $n-lengths := local:n($executed, "arraylength")
let $n-creations := local:n($executed, ("newarray", "anewarray", "multianewarray"))
let $n-reference := $n-aaload + $n-aastore
let $n-accesses := $n-reference + $n-char + $n-numeric + $n-lengths + $n-creations
return map {
  "n_accesses": $n-accesses,
  "n_reference": $n-reference,
  "n_char": $n-char,
  "n_numeric": $n-numeric,
  "n_lengths": $n-lengths,
  "n_creations": $n-creations,
  "n_aaload": $n-aaload,
  "n_aastore": $n-aastore,
  "density": stats:per-thousand($n-accesses, $n-bytecodes),
  "reference_density": stats:per-thousand($n-reference, $n-bytecodes),
  "char_density": stats:per-thousand($n-char, $n-bytecodes),
  "numeric_density": stats:per-thousand($n-numeric, $n-bytecodes),
  "aaload_density": stats:per-thousand($n-aaload, $n-bytecodes),
  "aastore_density": stats:per-thousand($n-aastore, $n-bytecodes),
  "n_bytecodes": $n-bytecodes
}
