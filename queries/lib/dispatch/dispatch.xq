(:~ Dynamic dispatch: which methods a call site may call, by the loaded classes. :)
module namespace dispatch = "urn:jvmscope:dispatch:1";

import module namespace hierarchy = "urn:jvmscope:hierarchy:1";

declare namespace dcg = "urn:jvmscope:dcg:1";
declare namespace map = "http://www.w3.org/2005/xpath-functions/map";

declare variable $dispatch:PUBLIC := 1;
declare variable $dispatch:PRIVATE := 2;
declare variable $dispatch:PROTECTED := 4;
declare variable $dispatch:STATIC := 8;
declare variable $dispatch:INTERFACE := 512;
declare variable $dispatch:ABSTRACT := 1024;

(:~
 : The calls of each dynamically dispatched call site by the class of their receivers, where these
 : were recorded: maps with "site", "class" ("" for arrays) and "n_calls".
 :)
declare function dispatch:receivers($cct) {
  for $caller in $cct//dcg:context, $callee in $caller/dcg:context
  for $receiver in $callee/dcg:receiver
  let $calls := xs:integer($receiver/dcg:callCount)
  group by $site := string($callee/@callSite), $class := string($receiver/@class)
  return map { "site": $site, "class": $class, "n_calls": sum($calls) }
};

(:~
 : The dynamically dispatched call sites that name a method like the one they stand in: maps with
 : "id", "owner" (the class named), "method" (that one) and "class" (its class).
 :)
declare function dispatch:candidate-sites($classes) {
  for $method in $classes//dcg:method[not(@isStatic)]
  for $site in $method/dcg:callSite[@opcode = ("invokevirtual", "invokeinterface")]
  where $site/@name = $method/@name and $site/@descriptor = $method/@descriptor
  return map {
    "id": string($site/@id),
    "owner": string($site/@owner),
    "method": string($method/@id),
    "class": string($method/../@id)
  }
};

(:~ A map for each declared method: "id", "class", "signature" (name and descriptor), "flags". :)
declare function dispatch:declared-methods($methods) {
  for $method in $methods
  return map {
    "id": string($method/@id),
    "class": string($method/../@id),
    "signature": $method/@name || $method/@descriptor,
    "flags": xs:integer($method/@accessFlags)
  }
};

(:~
 : The ids of the call sites that may call the method they stand in: that method is selected
 : (JVMS 5.4.6) for some class that is not abstract and is a subtype of the class named.
 :
 : @param sites   dispatch:candidate-sites($classes)
 : @param methods dispatch:declared-methods($methods)
 : @param types   hierarchy:types(…)
 :)
declare function dispatch:reentrant-sites(
  $sites as map(*)*, $methods as map(*)*, $types as map(*)
) as xs:string* {
  let $by-id := map:merge($methods ! map { ?id: . })
  let $declared := map:merge(
    for $method in $methods
    group by $class := $method?class
    return map { $class: map:merge($method ! map { ?signature: . }) })
  let $named := map:merge(
    for $type in $types?*
    group by $name := $type?name
    return map { $name: array { $type } })
  let $subtypes := map:merge(
    for $type in $types?*
    for $above in $type?supertypes
    group by $above
    return map { $above: $type })
  for $site in $sites
  let $method := $by-id($site?method)
  where some $owner in dispatch:_owners($site, $named, $types) satisfies
    dispatch:_may-select($method, $owner, $subtypes($method?class), $declared, $types)
  return $site?id
};

(:~ The types that a site names: that of its own class's loader, or those of all others. :)
declare %private function dispatch:_owners(
  $site as map(*), $named as map(*), $types as map(*)
) as map(*)* {
  let $all := $named($site?owner)?*
  let $own := $all[?loader eq $types($site?class)?loader]
  return if (exists($own)) then $own else $all
};

(:~ Whether a site that names an owner's method like this one may call this one. :)
declare %private function dispatch:_may-select(
  $method as map(*), $owner as map(*), $subtypes as map(*)*, $declared as map(*),
  $types as map(*)
) as xs:boolean {
  let $resolved := ($owner?chain ! $declared(.)?($method?signature))[1]
  return
    if (exists($resolved) and hierarchy:has-flag($resolved?flags, $dispatch:PRIVATE))
    then $resolved?id eq $method?id
    else
      some $receiver in $subtypes[?supertypes = $owner?id] satisfies
        not(hierarchy:has-flag($receiver?flags, $dispatch:ABSTRACT))
        and not(hierarchy:has-flag($receiver?flags, $dispatch:INTERFACE))
        and dispatch:_selected($receiver, $method?signature, $resolved, $declared, $types)?id
            = $method?id
};

(:~
 : The methods selected for a receiver class: the nearest of its classes, else the most specific
 : of its interfaces (of which a correct program has one with a body).
 :)
declare %private function dispatch:_selected(
  $receiver as map(*), $signature as xs:string, $resolved as map(*)?, $declared as map(*),
  $types as map(*)
) as map(*)* {
  let $overriding := function($method) {
    $method?id = $resolved?id or dispatch:_overrides($method, $resolved, $types)
  }
  let $of-class := ($receiver?chain ! $declared(.)?($signature))[$overriding(.)][1]
  let $of-interface :=
    $receiver?supertypes[hierarchy:has-flag($types(.)?flags, $dispatch:INTERFACE)]
      ! $declared(.)?($signature)[$overriding(.)]
  return
    if (exists($of-class)) then $of-class
    else
      for $candidate in $of-interface
      where every $other in $of-interface satisfies
        $other?class eq $candidate?class
        or not($types($other?class)?supertypes = $candidate?class)
      return $candidate
};

(:~ Whether a method overrides the resolved one of its signature (JVMS 5.4.5). :)
declare %private function dispatch:_overrides(
  $method as map(*), $resolved as map(*)?, $types as map(*)
) as xs:boolean {
  not(hierarchy:has-flag($method?flags, $dispatch:PRIVATE))
  and not(hierarchy:has-flag($method?flags, $dispatch:STATIC))
  and (
    empty($resolved)
    or hierarchy:has-flag($resolved?flags, $dispatch:PUBLIC)
    or hierarchy:has-flag($resolved?flags, $dispatch:PROTECTED)
    or (
      let $here := $types($method?class), $there := $types($resolved?class)
      return $here?loader eq $there?loader
        and hierarchy:package($here?name) eq hierarchy:package($there?name)
    )
  )
};
