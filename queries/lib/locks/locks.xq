(:~
 : The places that entered a monitor at least once, as the SQL module's table: monitorenter
 : instructions and synchronized methods. Of the two functions for instructions one is empty, as in
 : the module blocks.
 :)
module namespace locks = "urn:jvmscope:locks:1";

import module namespace hierarchy = "urn:jvmscope:hierarchy:1";

declare namespace dcg = "urn:jvmscope:dcg:1";

declare variable $locks:SYNCHRONIZED := 32;

(:~ How often each monitorenter ran, in falling order, where segments were recorded. :)
declare function locks:entries-in-segments($classes, $cct) {
  for $ran in $cct//dcg:context/dcg:blockSegment,
      $segment in $classes//dcg:blockSegment[@id = $ran/@ref],
      $enter in $segment/../dcg:instruction[@opcode = "monitorenter"]
  let $n := xs:integer($ran/dcg:executionCount)
  where xs:integer($enter/@offset) ge xs:integer($segment/@firstOffset)
    and xs:integer($enter/@offset) le xs:integer($segment/@lastOffset)
  group by $instruction := string($enter/@id)
  let $n-entries := sum($n)
  where $n-entries gt 0
  return $n-entries
};

(:~ The same, where they were not. :)
declare function locks:entries-in-blocks($classes) {
  for $block in $classes//dcg:basicBlock[empty(dcg:blockSegment)],
      $enter in $block/dcg:instruction[@opcode = "monitorenter"]
  let $n := xs:integer($block/dcg:executionCount)
  where $n gt 0
  return $n
};

(:~ How often each synchronized method was called. :)
declare function locks:calls($methods) {
  for $method in $methods
  let $n := xs:integer($method/dcg:callCount)
  where $n gt 0 and hierarchy:has-flag(xs:integer($method/@accessFlags), $locks:SYNCHRONIZED)
  return $n
};
