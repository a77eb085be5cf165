(:~
 : @id           contexts.shape
 : @name         Shape of the calling context tree
 : @description  Nodes of the calling context trees, leaves, depth, degree, and contexts per method.
 :               The depth of a context is the number of frames on the stack while it runs; its
 :               degree is the number of contexts that it calls. The roots of threads are not
 :               contexts. A recorded JVM has no class archive, so its start has more contexts than
 :               that of a bare JVM.
 : @kind         metric
 : @version      1
 : @grain        run
 : @column       n_contexts           integer  context  calling contexts
 : @column       n_leaves             integer  context  contexts that called nothing
 : @column       leaves_share         number   1        leaves as a share of all contexts
 : @column       mean_depth           number   frame    mean depth of all contexts
 : @column       max_depth            integer  frame    greatest depth
 : @column       mean_degree          number   context  mean degree of the contexts that called
 : @column       max_degree           integer  context  greatest degree
 : @column       n_methods            integer  method   distinct methods with a context
 : @column       contexts_per_method  number   context  contexts divided by methods
 : @sums         n_contexts n_leaves
 : @shares       leaves_share
 : @levels       mean_depth max_depth mean_degree max_degree n_methods contexts_per_method
 : @overview     30 n_contexts calling contexts
 : @overview     40 mean_depth depth of a calling context, on average
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
