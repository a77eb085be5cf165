(:~
 : @id           arguments.floating
 : @name         Floating point arguments
 : @description  All calls, in bins by the number of declared parameters of the callee. Within a
 :               bin: the calls with 0, 1, 2, 3, 4 and 5 or more floating-point parameters (float,
 :               double). The receiver is not a parameter, and long and double count once. Rows with
 :               more floating-point parameters than parameters are 0. Calls by the VM count, too.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       n_parameters  integer        declared parameters of the callee
 : @column       n_floating    integer        floating-point parameters; 5 stands for 5 or more
 : @column       n_calls       integer  call  calls
 : @column       n_bin_calls   integer  call  all calls in the bin
 : @column       share         number   1     share of the bin's calls
 : @fixed        n_floating
 : @sums         n_calls
 : @shares       share
 : @levels       n_bin_calls
 : @matrix       n_floating share
 : @better       none
 : @requires     context, method, back_edge
 : @source       METRICS arguments.floating; Sarimbekov et al. 2013, Table 1 and section 2.2.3
 : @tags         arguments calls paper
 :)
import module namespace arguments = "urn:jvmscope:arguments:1";
import module namespace cct = "urn:jvmscope:cct:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $parameters :=
  for $method in $methods
  return map {
    "id": string($method/@id),
    "n_parameters": xs:integer($method/@nParameters),
    "n_of_kind": xs:integer($method/@nFloatingParameters)
  }
let $folded := (cct:moved-calls($cct), cct:surplus-calls($cct))
let $edges := cct:edges(cct:counted-calls($cct), $folded)
for $entry in arguments:distribution($parameters, $edges)
return map {
  "n_parameters": $entry?n_parameters,
  "n_floating": $entry?n_of_kind,
  "n_calls": $entry?n_calls,
  "n_bin_calls": $entry?n_bin_calls,
  "share": stats:share($entry?n_calls, $entry?n_bin_calls)
}
