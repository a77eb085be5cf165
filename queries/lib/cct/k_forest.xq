(:~
 : The k-calling context forest (Ausiello et al. 2012): the contexts of a method told apart by their
 : last k calls only. With k = 0 it is the profile of methods, with k = 1 that of callers and
 : callees. The SQL module's cct.k_forest has the same paths, and is made for large runs.
 :)
module namespace k-forest = "urn:jvmscope:k-forest:1";

declare namespace dcg = "urn:jvmscope:dcg:1";

(:~
 : The paths of at most k calls that lead to a context: identifiers of methods, separated by blanks,
 : the context's own first, then its caller's, and so on.
 :)
declare function k-forest:paths-to(
  $context as element(dcg:context), $k as xs:integer
) as xs:string* {
  if (empty($context/@method)) then ()
  else (
    string($context/@method),
    if ($k eq 0) then ()
    else k-forest:paths-to($context/parent::dcg:context, $k - 1) ! ($context/@method || " " || .)
  )
};

(:~
 : The forest of some contexts: a map for each path, in no order, with the executions by it, "calls",
 : and the number of contexts that it stands for, "contexts". "path" holds the identifiers of its
 : methods, as k-forest:paths-to has them.
 :)
declare function k-forest:forest(
  $contexts as element(dcg:context)*, $k as xs:integer
) as map(*)* {
  for $context in $contexts
  let $calls := xs:integer($context/dcg:callCount)
  for $path in k-forest:paths-to($context, $k)
  group by $path
  return map { "path": $path, "calls": sum($calls), "contexts": count($calls) }
};
