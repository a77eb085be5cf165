(:~
 : Calls in the calling context trees: who called whom, and from where.
 :
 : A call is an edge from a context to one that it holds. Where recursion was folded, calls are
 : counted at a context that they did not lead to, and back edges say which edges they took;
 : cct:edges puts them there.
 :)
module namespace cct = "urn:jvmscope:cct:1";

declare namespace dcg = "urn:jvmscope:dcg:1";
declare namespace map = "http://www.w3.org/2005/xpath-functions/map";

(:~ Calls by call site and callee, at the contexts that count them. :)
declare function cct:counted-calls($cct) {
  for $caller in $cct//dcg:context, $callee in $caller/dcg:context
  let $calls := xs:integer($callee/dcg:callCount)
  group by $site := string($callee/@callSite), $method := string($callee/@method)
  return map { "site": $site, "callee": $method, "calls": sum($calls) }
};

(:~ Calls that folding moved to another context, at the edges that they took. :)
declare function cct:moved-calls($cct) {
  for $caller in $cct//dcg:context,
      $edge in $caller/dcg:backEdge,
      $target in $cct//dcg:context[@id = $edge/@targetContext]
  let $calls := xs:integer($edge/dcg:callCount)
  group by $site := string($edge/@callSite), $method := string($target/@method)
  return map { "site": $site, "callee": $method, "calls": sum($calls) }
};

(:~ The same calls, taken away from the edges to the contexts that count them. :)
declare function cct:surplus-calls($cct) {
  for $caller in $cct//dcg:context,
      $callee in $caller/dcg:context,
      $edge in $cct//dcg:backEdge[@targetContext = $callee/@id]
  let $calls := xs:integer($edge/dcg:callCount)
  group by $site := string($callee/@callSite), $method := string($callee/@method)
  return map { "site": $site, "callee": $method, "calls": -sum($calls) }
};

(:~
 : Who called whom: a map for each call site and callee with the calls from there, as the SQL
 : module's table of this name. "site" is "" for what the VM called to begin a thread.
 :
 : @param counted cct:counted-calls($cct)
 : @param folded  cct:moved-calls($cct), cct:surplus-calls($cct)
 :)
declare function cct:edges($counted as map(*)*, $folded as map(*)*) as map(*)* {
  if (empty($folded)) then $counted
  else
    for $edge in ($counted, $folded)
    group by $site := $edge?site, $callee := $edge?callee
    let $calls := sum($edge?calls)
    where $calls gt 0
    return map { "site": $site, "callee": $callee, "calls": $calls }
};

(:~ Maps by the text of their entry "id". :)
declare function cct:by-id($rows as map(*)*) as map(*) {
  map:merge($rows ! map { ?id: . })
};
