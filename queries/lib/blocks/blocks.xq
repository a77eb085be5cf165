(:~
 : Executions of the instructions of basic blocks, as the SQL module counts them: by block segments
 : where --exact-exceptions recorded them, so that what is behind an instruction that threw does not
 : count; else by whole blocks. Each count has two functions, and of any run one of them is empty:
 : together, (…-in-segments(…), …-in-blocks(…)), they count all.
 :)
module namespace blocks = "urn:jvmscope:blocks:1";

import module namespace boxing = "urn:jvmscope:boxing:1";

declare namespace dcg = "urn:jvmscope:dcg:1";

(:~ Executions by opcode, where segments were recorded: maps with "opcode" and "n_executions". :)
declare function blocks:opcodes-in-segments($classes, $cct) {
  for $ran in $cct//dcg:context/dcg:blockSegment,
      $segment in $classes//dcg:blockSegment[@id = $ran/@ref],
      $instruction in $segment/../dcg:instruction[blocks:_is-in(., $segment)]
  let $n := xs:integer($ran/dcg:executionCount)
  group by $opcode := string($instruction/@opcode)
  return map { "opcode": $opcode, "n_executions": sum($n) }
};

(:~ The same, where they were not. :)
declare function blocks:opcodes-in-blocks($classes) {
  for $block in $classes//dcg:basicBlock[empty(dcg:blockSegment)],
      $instruction in $block/dcg:instruction
  let $n := xs:integer($block/dcg:executionCount)
  group by $opcode := string($instruction/@opcode)
  return map { "opcode": $opcode, "n_executions": sum($n) }
};

(:~
 : Executions of getfield, putfield, getstatic and putstatic, where segments were recorded: maps with
 : "opcode", "field": its class, name and descriptor, and "n_executions".
 :)
declare function blocks:fields-in-segments($classes, $cct) {
  for $ran in $cct//dcg:context/dcg:blockSegment,
      $segment in $classes//dcg:blockSegment[@id = $ran/@ref],
      $access in $segment/../dcg:instruction
        [@opcode = ("getfield", "putfield", "getstatic", "putstatic")][blocks:_is-in(., $segment)]
  let $n := xs:integer($ran/dcg:executionCount)
  group by $opcode := string($access/@opcode), $field := string($access/@operand)
  return map { "opcode": $opcode, "field": $field, "n_executions": sum($n) }
};

(:~ The same, where they were not. :)
declare function blocks:fields-in-blocks($classes) {
  for $block in $classes//dcg:basicBlock[empty(dcg:blockSegment)],
      $access in $block/dcg:instruction
        [@opcode = ("getfield", "putfield", "getstatic", "putstatic")]
  let $n := xs:integer($block/dcg:executionCount)
  group by $opcode := string($access/@opcode), $field := string($access/@operand)
  return map { "opcode": $opcode, "field": $field, "n_executions": sum($n) }
};

(:~
 : Executions of the instruction new, where segments were recorded: maps with "class_name", a
 : wrapper class or "" for any other class, and "n_executions".
 :)
declare function blocks:allocations-in-segments($classes, $cct) {
  for $ran in $cct//dcg:context/dcg:blockSegment,
      $segment in $classes//dcg:blockSegment[@id = $ran/@ref],
      $new in $segment/../dcg:instruction[@opcode = "new"][blocks:_is-in(., $segment)]
  let $n := xs:integer($ran/dcg:executionCount)
  group by $class := boxing:class($new/@operand)
  return map { "class_name": $class, "n_executions": sum($n) }
};

(:~ The same, where they were not. :)
declare function blocks:allocations-in-blocks($classes) {
  for $block in $classes//dcg:basicBlock[empty(dcg:blockSegment)],
      $new in $block/dcg:instruction[@opcode = "new"]
  let $n := xs:integer($block/dcg:executionCount)
  group by $class := boxing:class($new/@operand)
  return map { "class_name": $class, "n_executions": sum($n) }
};

(:~ The bytecodes of each executed block in falling order, where segments were recorded. :)
declare function blocks:bytecodes-in-segments($classes, $cct) {
  for $ran in $cct//dcg:context/dcg:blockSegment,
      $segment in $classes//dcg:blockSegment[@id = $ran/@ref]
  let $n := xs:integer($ran/dcg:executionCount) * xs:integer($segment/@nInstructions)
  group by $block := string($segment/../@id)
  let $n-bytecodes := sum($n)
  order by $n-bytecodes descending
  return $n-bytecodes
};

(:~ The same, where they were not. :)
declare function blocks:bytecodes-in-blocks($classes) {
  for $block in $classes//dcg:basicBlock[empty(dcg:blockSegment)]
  let $n := xs:integer($block/dcg:executionCount)
  let $n-bytecodes := $n * xs:integer($block/@nInstructions)
  where $n gt 0
  order by $n-bytecodes descending
  return $n-bytecodes
};

(:~ Whether an instruction is in a segment of its block. :)
declare %private function blocks:_is-in($instruction, $segment) {
  xs:integer($instruction/@offset) ge xs:integer($segment/@firstOffset)
  and xs:integer($instruction/@offset) le xs:integer($segment/@lastOffset)
};
