(:~
 : @id           hotness.blocks
 : @name         Hotness of basic blocks
 : @description  Share of all basic block executions, and of all bytecodes executed, that falls on
 :               the hottest basic blocks: the first ceil(cutoff * n) of the n distinct blocks
 :               executed at least once, ranked by the weight whose share it is. A block's
 :               bytecodes are its executions times its instructions. The Gini coefficient is that
 :               of the Lorenz curve over the same n blocks: 0 when all are equally hot.
 : @kind         metric
 : @version      1
 : @grain        run
 : @column       n_blocks          integer  basic_block  distinct blocks executed
 : @column       n_hot_blocks      integer  basic_block  of these the hottest, by the cutoff
 : @column       n_executions      integer  execution    block executions
 : @column       n_bytecodes       integer  bytecode     bytecodes executed
 : @column       executions_share  number   1            share of the executions on the hottest blocks
 : @column       bytecodes_share   number   1            share of the bytecodes on the hottest blocks
 : @column       executions_gini   number   1            Gini coefficient of the executions
 : @column       bytecodes_gini    number   1            Gini coefficient of the bytecodes
 : @better       none
 : @param        cutoff number 0.2 fraction of the blocks that are the hottest
 : @requires     thread_block, basic_block
 : @source       METRICS hotness.blocks; the number of hottest blocks is rounded up
 : @tags         hotness basic_block
 :)
declare function local:share($parts as xs:integer*, $total as xs:integer) as xs:double? {
  if ($total eq 0) then () else xs:double(sum($parts)) div $total
};

(:~ The Gini coefficient of counts in falling order. :)
declare function local:gini($counts as xs:integer*, $total as xs:integer) as xs:double? {
  let $n := count($counts)
  let $spread := sum(for $count at $rank in $counts return $count * ($n + 1 - 2 * $rank))
  return if ($total eq 0) then () else xs:double($spread) div ($n * $total)
};

let $executions :=
  for $block in $methods/dcg:basicBlock
  let $n := xs:long($block/dcg:executionCount)
  where $n gt 0
  order by $n descending
  return $n
let $bytecodes :=
  for $block in $methods/dcg:basicBlock
  let $n := xs:long($block/dcg:executionCount)
  let $weight := $n * xs:long($block/@nInstructions)
  where $n gt 0
  order by $weight descending
  return $weight
let $n-blocks := count($executions)
let $n-hot := xs:integer(ceiling(xs:decimal(string($cutoff)) * $n-blocks))
let $n-executions := sum($executions)
let $n-bytecodes := sum($bytecodes)
return map {
  "n_blocks": $n-blocks,
  "n_hot_blocks": $n-hot,
  "n_executions": $n-executions,
  "n_bytecodes": $n-bytecodes,
  "executions_share": local:share(subsequence($executions, 1, $n-hot), $n-executions),
  "bytecodes_share": local:share(subsequence($bytecodes, 1, $n-hot), $n-bytecodes),
  "executions_gini": local:gini($executions, $n-executions),
  "bytecodes_gini": local:gini($bytecodes, $n-bytecodes)
}
