(:~ The parameters of the methods that were called. :)
module namespace arguments = "urn:jvmscope:arguments:1";

import module namespace cct = "urn:jvmscope:cct:1";

(:~
 : All calls, binned by the callee's number of declared parameters, and within a bin by how many of
 : these are of a kind, as the SQL module's table of this name: maps with "n_parameters",
 : "n_of_kind" (0 to 5, which stands for 5 or more), "n_calls" and "n_bin_calls".
 :
 : @param methods maps with a method's "id", "n_parameters" and "n_of_kind"
 : @param edges   cct:edges(…)
 :)
declare function arguments:distribution($methods as map(*)*, $edges as map(*)*) as map(*)* {
  let $method := cct:by-id($methods)
  let $counted :=
    for $edge in $edges
    let $callee := $method($edge?callee)
    group by $n := $callee?n_parameters, $k := min(($callee?n_of_kind, 5))
    return map { "n_parameters": $n, "n_of_kind": $k, "n_calls": sum($edge?calls) }
  return
    for $entry in $counted
    group by $n := $entry?n_parameters
    order by $n
    let $n-bin-calls := sum($entry?n_calls)
    where $n-bin-calls gt 0
    for $k in 0 to 5
    return map {
      "n_parameters": $n,
      "n_of_kind": $k,
      "n_calls": sum($entry[?n_of_kind eq $k]?n_calls),
      "n_bin_calls": $n-bin-calls
    }
};
