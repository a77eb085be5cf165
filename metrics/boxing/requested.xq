(:~
 : @id           boxing.requested
 : @name         Boxed primitives requested
 : @description  For each of the eight wrapper classes: calls of the static method valueOf that
 :               takes the primitive, whether or not it allocates an object. A recorded JVM has no
 :               class archive, so its start runs bytecodes, boxing among them, whose results a bare
 :               JVM finds in the archive.
 : @kind         metric
 : @version      1
 : @grain        class
 : @column       class_name   text           wrapper class, in JVM form
 : @column       n_calls      integer  call  calls of the valueOf that takes the primitive
 : @column       share        number   1     share of these calls for all wrapper classes
 : @column       n_all_calls  integer  call  calls of any method
 : @column       calls_share  number   1     share of all calls
 : @sums         n_calls
 : @shares       share calls_share
 : @levels       n_all_calls
 : @overview     170 calls_share[java/lang/Integer] calls that are Integer.valueOf(int)
 : @plot         bar class_name n_calls
 : @better       none
 : @requires     context, method, class, back_edge
 : @source       METRICS boxing.requested; Sarimbekov et al. 2013, Table 1
 : @tags         boxing calls paper
 :)
import module namespace boxing = "urn:jvmscope:boxing:1";
import module namespace cct = "urn:jvmscope:cct:1";
import module namespace stats = "urn:jvmscope:stats:1";

let $value-of := cct:by-id(
  for $method in $methods[@name = "valueOf"]
  let $class := boxing:class-of-value-of($method/@descriptor)
  where $class eq boxing:class($method/../@name) and $class ne ""
  return map { "id": string($method/@id), "class": $class })
let $folded := (cct:moved-calls($cct), cct:surplus-calls($cct))
let $edges := cct:edges(cct:counted-calls($cct), $folded)
let $requested := $edges[map:contains($value-of, ?callee)]
let $n-boxed := sum($requested?calls)
let $n-all := sum($edges?calls)
for $class in $boxing:classes
let $n := sum($requested[$value-of(?callee)?class eq $class]?calls)
return map {
  "class_name": $class,
  "n_calls": $n,
  "share": stats:share($n, $n-boxed),
  "n_all_calls": $n-all,
  "calls_share": stats:share($n, $n-all)
}
