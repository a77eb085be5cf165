(:~
 : Shares, Lorenz curves and bins of counts, as the SQL module of this name computes them: sums are
 : exact, and only the last division is of doubles.
 :)
module namespace stats = "urn:jvmscope:stats:1";

declare namespace map = "http://www.w3.org/2005/xpath-functions/map";

(:~ A part as a fraction of a whole; empty if the whole is 0 or there is no part. :)
declare function stats:share($part as xs:integer?, $whole as xs:integer?) as xs:double? {
  if ($whole eq 0) then () else xs:double($part) div xs:double($whole)
};

(:~ How often something happened for every thousand of a whole; empty if the whole is 0. :)
declare function stats:per-thousand($part as xs:integer, $whole as xs:integer) as xs:double? {
  stats:share(1000 * $part, $whole)
};

(:~ How many the first are of n by a cutoff: the ceiling of cutoff times n, computed exactly. :)
declare function stats:n-top($n as xs:integer, $cutoff as xs:anyAtomicType) as xs:integer {
  xs:integer(ceiling(xs:decimal(string($cutoff)) * $n))
};

(:~ The share of the total that falls on the first n of counts in falling order. :)
declare function stats:top-share($falling as xs:integer*, $n as xs:integer) as xs:double? {
  stats:share(sum(subsequence($falling, 1, $n)), sum($falling))
};

(:~ The Gini coefficient of counts in falling order: 0 when all are equal. :)
declare function stats:gini($falling as xs:integer*) as xs:double? {
  let $n := count($falling)
  let $spread := sum(for $count at $rank in $falling return $count * ($n + 1 - 2 * $rank))
  return stats:share($spread, $n * sum($falling))
};

(:~
 : The Lorenz curve of counts in falling order, at every percent of them: a map with "percent",
 : "n_top" (how many counts that is) and "total_share" (of the total, on these).
 :)
declare function stats:curve($falling as xs:integer*) as map(*)* {
  let $n := count($falling)
  let $total := sum($falling)
  let $wanted := for $percent in (0 to 100)[$n gt 0]
                 return map { "percent": $percent, "n_top": ($percent * $n + 99) idiv 100 }
  let $upto := fold-left($falling, [0], function($sums, $count) {
    array:append($sums, $sums(array:size($sums)) + $count)
  })
  for $cutoff in $wanted
  return map:put($cutoff, "total_share", stats:share($upto($cutoff?n_top + 1), $total))
};

(:~ The Shannon entropy of a distribution, in bits; empty if nothing was counted. :)
declare function stats:entropy($counts as xs:integer*) as xs:double? {
  let $total := xs:double(sum($counts))
  where $total gt 0
  return sum(
    for $n in sort($counts[. gt 0])
    return $n div $total * (math:log($total div $n) div math:log(2)))
};

(:~
 : How unpredictable several distributions are, as the SQL module's table of this name: a map with
 : "n_distributions", "n", "weighted_entropy", "mean_entropy" and "max_entropy".
 :
 : @param distributions an array of counts for each
 :)
declare function stats:entropies($distributions as array(*)*) as map(*) {
  let $measured :=
    for $counts in $distributions
    let $entropy := stats:entropy($counts?*), $n := sum($counts?*)
    order by $n, $entropy
    return map { "n": $n, "entropy": $entropy }
  let $n := sum($measured?n)
  return map {
    "n_distributions": count($measured),
    "n": $n,
    "weighted_entropy": sum($measured ! (?n * ?entropy))[$n gt 0] div $n,
    "mean_entropy": sum(sort($measured?entropy))[exists($measured)] div count($measured),
    "max_entropy": max($measured?entropy)
  }
};

(:~ The bin of a count among bins that double, 0, 1, 2, 3-4, 5-8, …: its largest count. :)
declare function stats:doubling-bin($n as xs:integer) as xs:integer {
  if ($n eq 0) then 0 else head($stats:_powers-of-two[. ge $n])
};

declare %private variable $stats:_powers-of-two as xs:integer+ :=
  (0 to 62) ! xs:integer(math:pow(2, .));
