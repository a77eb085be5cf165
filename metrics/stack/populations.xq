(:~
 : @id           stack.populations
 : @name         Recursive calls and their stack heights
 : @description  How many calls belong to each population of stack.height, and the mean and greatest
 :               stack height at these calls. The populations: all calls; potentially recursive
 :               calls, which are dispatched dynamically (invokevirtual, invokeinterface) in a
 :               method that is among their possible targets, by the hierarchy of the loaded
 :               classes; truly recursive calls, whose callee is their caller, however dispatched;
 :               and calls whose callee is anywhere on the stack.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       population   text            all, or one of the populations described
 : @column       n_calls      integer  call   calls of the population
 : @column       share        number   1      share of all calls
 : @column       mean_frames  number   frame  mean height in frames
 : @column       max_frames   integer  frame  greatest height in frames
 : @column       mean_slots   number   slot   mean height in slots
 : @column       max_slots    integer  slot   greatest height in slots
 : @shares       share
 : @levels       n_calls mean_frames max_frames mean_slots max_slots
 : @overview     150 share[callee_on_stack] calls of a method that is on the stack
 : @overview     160 mean_frames[all] frames on the stack at a call, on average
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
let $n-all := sum($calls[?population eq "all"]?n_calls)
for $population in $stack:populations
let $of-it := $calls[?population eq $population][?n_calls gt 0]
let $n := sum($of-it?n_calls)
return map {
  "population": $population,
  "n_calls": $n,
  "share": stats:share($n, $n-all),
  "mean_frames": stats:share(sum($of-it ! (?frames * ?n_calls)), $n),
  "max_frames": max($of-it?frames),
  "mean_slots": stats:share(sum($of-it ! (?slots * ?n_calls)), $n),
  "max_slots": max($of-it?slots)
}
