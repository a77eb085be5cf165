(:~
 : @id           contexts.shape
 : @name         Shape of the calling context tree
 : @description  Nodes of the calling context trees, leaves, depth, degree, and contexts for each
 :               method. The depth of a context is the number of frames on the stack while it runs;
 :               its degree is the number of contexts called from it. The roots of threads are not
 :               contexts.
 : @kind         metric
 : @version      1
 : @grain        run
 : @column       n_contexts           integer  context  calling contexts
 : @column       n_leaves             integer  context  of these, that called nothing
 : @column       leaves_share         number   1        these as a share
 : @column       mean_depth           number   frame    depth, the mean over all contexts
 : @column       max_depth            integer  frame    the greatest depth
 : @column       mean_degree          number   context  degree, the mean over those that called
 : @column       max_degree           integer  context  the greatest degree
 : @column       n_methods            integer  method   distinct methods that they are contexts of
 : @column       contexts_per_method  number   context  contexts divided by methods
 : @better       none
 : @requires     context, unfolded
 : @source       METRICS contexts.shape
 : @tags         contexts paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $shapes :=
  for $context in $cct//dcg:context[@method]
  let $depth := count($context/ancestor::dcg:context)
  let $degree := count($context/dcg:context)
  group by $d := $depth, $g := $degree
  return map { "depth": $d, "degree": $g, "n": count($context) }
let $n-contexts := sum($shapes?n)
let $n-leaves := sum($shapes[?degree eq 0]?n)
let $n-methods := count(distinct-values($cct//dcg:context/@method))
return map {
  "n_contexts": $n-contexts,
  "n_leaves": $n-leaves,
  "leaves_share": stats:share($n-leaves, $n-contexts),
  "mean_depth": stats:share(sum($shapes ! (?depth * ?n)), $n-contexts),
  "max_depth": max($shapes?depth),
  "mean_degree": stats:share(sum($shapes ! (?degree * ?n)), $n-contexts - $n-leaves),
  "max_degree": max($shapes?degree),
  "n_methods": $n-methods,
  "contexts_per_method": stats:share($n-contexts, $n-methods)
}
