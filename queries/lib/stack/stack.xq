(:~ The stack at the moment of a call. :)
module namespace stack = "urn:jvmscope:stack:1";

declare namespace dcg = "urn:jvmscope:dcg:1";
declare namespace map = "http://www.w3.org/2005/xpath-functions/map";

(:~ The populations of calls, in their order. :)
declare variable $stack:populations as xs:string+ :=
  ("all", "potentially_recursive", "truly_recursive", "callee_on_stack");

(:~
 : Calls by call site, by the height of the stack at the moment of the call, the caller's frame
 : included, in frames and in slots (max_locals + max_stack of each frame's method), and by whether
 : the callee is the caller, or anywhere on the stack.
 :)
declare function stack:calls($cct, $methods) {
  for $caller in $cct//dcg:context, $callee in $caller/dcg:context
  let $calls := xs:integer($callee/dcg:callCount)
  let $is-truly := $callee/@method = $caller/@method
  let $is-on-stack := $callee/@method = $callee/ancestor::dcg:context/@method
  let $frames := count($caller/ancestor::dcg:context)
  let $slots := sum(
    for $frame in $caller/ancestor-or-self::dcg:context
    for $method in $methods[@id = $frame/@method]
    return xs:integer($method/@maxLocals) + xs:integer($method/@maxStack))
  group by $site := string($callee/@callSite), $frames, $slots, $is-truly, $is-on-stack
  return map {
    "site": $site,
    "frames": $frames,
    "slots": $slots,
    "is_truly_recursive": $is-truly,
    "is_on_stack": $is-on-stack,
    "n_calls": sum($calls)
  }
};

(:~
 : Calls once for each population that they belong to: "population", "frames", "slots", "n_calls".
 :
 : @param calls     stack:calls($cct, $methods)
 : @param reentrant the ids of the call sites that may call the method they stand in
 :)
declare function stack:populations($calls as map(*)*, $reentrant as xs:string*) as map(*)* {
  let $is-reentrant := map:merge($reentrant ! map { .: true() })
  for $call in $calls
  let $belongs := (
    "all",
    "potentially_recursive"[map:contains($is-reentrant, $call?site)],
    "truly_recursive"[$call?is_truly_recursive],
    "callee_on_stack"[$call?is_on_stack]
  )
  for $population in $belongs
  return map {
    "population": $population,
    "frames": $call?frames,
    "slots": $call?slots,
    "n_calls": $call?n_calls
  }
};

(:~
 : The distribution of stack heights: a map for each population, dimension (frames or slots) and bin
 : of heights.
 :
 : @param calls  stack:populations(…)
 : @param bin-of the bin of a height
 :)
declare function stack:distribution(
  $calls as map(*)*, $bin-of as function(xs:integer) as xs:integer
) as map(*)* {
  for $population in $stack:populations
  let $of-it := $calls[?population eq $population]
  let $total := sum($of-it?n_calls)
  for $dimension in ("frames", "slots")
  return
    for $call in $of-it[?n_calls gt 0]
    group by $height := $bin-of($call($dimension))
    order by $height
    return map {
      "population": $population,
      "dimension": $dimension,
      "height": $height,
      "n_calls": sum($call?n_calls),
      "share": xs:double(sum($call?n_calls)) div xs:double($total[1])
    }
};
