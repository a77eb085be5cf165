(:~
 : @id           stack.heights
 : @name         Every stack height upon calls
 : @description  The distribution of stack.height without bins: one row for each height that
 :               occurred. The populations: all calls; potentially recursive calls, which are
 :               dispatched dynamically (invokevirtual, invokeinterface) in a method that is among
 :               their possible targets, by the hierarchy of the loaded classes; truly recursive
 :               calls, whose callee is their caller, however dispatched; and calls whose callee is
 :               anywhere on the stack.
 : @kind         table
 : @version      1
 : @grain        bin
 : @column       population  text           all, or one of the populations described
 : @column       dimension   text           frames or slots
 : @column       height      integer        frames or slots on the stack
 : @column       n_calls     integer  call  calls at that height
 : @column       share       number   1     share of the population's calls
 : @sums         n_calls within population dimension
 : @shares       share
 : @matrix       population n_calls
 : @better       none
 : @requires     context, method, class, call_site, unfolded
 : @source       METRICS stack.height; Sarimbekov et al. 2013, Table 1 and section 2.2.3
 : @tags         stack recursion calls paper
 :)
import module namespace dispatch = "urn:jvmscope:dispatch:1";
import module namespace hierarchy = "urn:jvmscope:hierarchy:1";
import module namespace stack = "urn:jvmscope:stack:1";

let $types := hierarchy:types(hierarchy:classes($classes), hierarchy:interfaces($classes))
let $reentrant := dispatch:reentrant-sites(
  dispatch:candidate-sites($classes), dispatch:declared-methods($methods), $types)
let $calls := stack:populations(stack:calls($cct, $methods), $reentrant)
return stack:distribution($calls, function($height) { $height })
