(:~
 : @id           hotness.cutoffs
 : @name         Hotness at several cut-offs
 : @description  The share of all executions, and of all bytecodes executed, that falls on the
 :               hottest 1, 2, 5, 10, 20 and 50 percent of the distinct executed basic blocks and
 :               methods: hotness.blocks and hotness.methods with each of these cutoffs, in one
 :               table.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       part              text             block or method
 : @column       percent           integer          percentage of the executed blocks or methods
 : @column       n_hot             integer  part    number of these blocks or methods
 : @column       executions_share  number   1       share of the executions on them
 : @column       bytecodes_share   number   1       share of the bytecodes on them
 : @fixed        part percent
 : @shares       executions_share bytecodes_share
 : @levels       n_hot
 : @plot         line percent bytecodes_share part
 : @better       none
 : @requires     thread_block, basic_block, thread_method
 : @source       METRICS hotness.blocks, hotness.methods: other cut-offs; Sarimbekov et al. 2013, Table 1
 : @tags         hotness basic_block method
 :)
import module namespace blocks = "urn:jvmscope:blocks:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $block-executions :=
  for $block in $methods/dcg:basicBlock
  let $n := xs:integer($block/dcg:executionCount)
  where $n gt 0
  order by $n descending
  return $n
let $block-bytecodes :=
  (blocks:bytecodes-in-segments($classes, $cct), blocks:bytecodes-in-blocks($classes))
let $method-executions :=
  for $method in $methods
  let $n := xs:integer($method/dcg:callCount)
  where $n gt 0 or xs:integer($method/dcg:bytecodeCount) gt 0
  order by $n descending
  return $n
let $method-bytecodes :=
  for $method in $methods
  let $n := xs:integer($method/dcg:bytecodeCount)
  where $n gt 0 or xs:integer($method/dcg:callCount) gt 0
  order by $n descending
  return $n
for $part in (
  map { "name": "block", "executions": $block-executions, "bytecodes": $block-bytecodes },
  map { "name": "method", "executions": $method-executions, "bytecodes": $method-bytecodes })
for $percent in (1, 2, 5, 10, 20, 50)[exists($part?executions)]
let $n-hot := stats:n-top(count($part?executions), $percent div 100)
return map {
  "part": $part?name,
  "percent": $percent,
  "n_hot": $n-hot,
  "executions_share": stats:top-share($part?executions, $n-hot),
  "bytecodes_share": stats:top-share($part?bytecodes, $n-hot)
}
