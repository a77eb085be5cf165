(:~
 : @id           stack.height
 : @name         Stack height upon calls
 : @description  Distribution of the stack height at calls, in frames and in slots (max_locals +
 :               max_stack of each frame's method), with the caller's frame and without the
 :               callee's. The bins double (0, 1, 2, 3-4, 5-8, …) and are named by their largest
 :               height. The populations: all calls; potentially recursive calls, which are
 :               dispatched dynamically (invokevirtual, invokeinterface) in a method that is among
 :               their possible targets, by the hierarchy of the loaded classes; truly recursive
 :               calls, whose callee is their caller, however dispatched; and calls whose callee is
 :               anywhere on the stack.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       population  text           all, or one of the populations described
 : @column       dimension   text           frames or slots
 : @column       height      integer        largest height of the bin
 : @column       n_calls     integer  call  calls with such a height
 : @column       share       number   1     share of the population's calls
 : @sums         n_calls within population dimension
 : @shares       share
 : @matrix       population share
 : @better       none
 : @requires     context, method, class, call_site, unfolded
 : @source       METRICS stack.height; Sarimbekov et al. 2013, Table 1 and section 2.2.3
 : @tags         stack recursion calls paper
 :)
import module namespace dispatch = "urn:jvmscope:dispatch:1";
import module namespace hierarchy = "urn:jvmscope:hierarchy:1";
import module namespace stack = "urn:jvmscope:stack:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $types := hierarchy:types(hierarchy:classes($classes), hierarchy:interfaces($classes))
let $reentrant := dispatch:reentrant-sites(
  dispatch:candidate-sites($classes), dispatch:declared-methods($methods), $types)
let $calls := stack:populations(stack:calls($cct, $methods), $reentrant)
return stack:distribution($calls, stats:doubling-bin#1)
