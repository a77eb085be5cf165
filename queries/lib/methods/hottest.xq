(:~
 : Methods ordered by how hot they are.
 :
 : The toolchain paper's Figure 4 orders methods by their hottest basic block, while its text says
 : that they are sorted by the total of their blocks. Here is a function for each.
 :)
module namespace hottest = "urn:jvmscope:hottest:1";

declare namespace dcg = "urn:jvmscope:dcg:1";
declare namespace functx = "http://www.functx.com";

(:~ The methods, those with the most often executed basic block first (Figure 4, completed). :)
declare function hottest:by-block($methods as element(dcg:method)*) as element(dcg:method)* {
  functx:distinct-nodes(
    for $block in $methods/dcg:basicBlock
    order by $block/dcg:executionCount/xs:long(.) descending
    return $block/..)
};

(:~ The methods, those whose basic blocks executed most often together first. :)
declare function hottest:by-total($methods as element(dcg:method)*) as element(dcg:method)* {
  for $method in $methods
  order by sum($method/dcg:basicBlock/dcg:executionCount/xs:long(.)) descending
  return $method
};
