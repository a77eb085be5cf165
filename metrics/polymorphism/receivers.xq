(:~
 : @id           polymorphism.receivers
 : @name         Receiver polymorphism of call sites
 : @description  For each number of distinct receiver classes: the dynamically dispatched call sites
 :               (invokevirtual, invokeinterface) with that number, and the calls made through them.
 :               A site counts if it called at least once. All arrays are one receiver class. Calls
 :               that are only counted at their site (method.coverage leaf: native methods of the
 :               class library, methods that the VM replaces) have no receiver and are left out, so
 :               a site that makes such calls, too, has fewer receiver classes here than it met.
 : @kind         metric
 : @version      1
 : @grain        bin
 : @column       n_receivers       integer             distinct receiver classes of a call site
 : @column       n_call_sites      integer  call_site  call sites with that many receiver classes
 : @column       call_sites_share  number   1          share of all dynamically dispatched sites
 : @column       n_calls           integer  call       calls made through these sites
 : @column       calls_share       number   1          share of all dynamically dispatched calls
 : @sums         n_call_sites n_calls
 : @shares       call_sites_share calls_share
 : @plot         bar n_receivers calls_share
 : @better       none
 : @requires     context, receiver, unfolded
 : @source       METRICS polymorphism.receivers; receivers of folded calls are not kept by call site
 : @tags         polymorphism dispatch paper starj
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $sites :=
  for $caller in $cct//dcg:context, $callee in $caller/dcg:context
  for $receiver in $callee/dcg:receiver
  let $calls := xs:integer($receiver/dcg:callCount)
  let $class := string($receiver/@class)  (: "" for arrays :)
  group by $site := string($callee/@callSite)
  return map { "n_receivers": count(distinct-values($class)), "n_calls": sum($calls) }
let $n-sites := count($sites)
let $n-calls := sum($sites?n_calls)
return
  for $site in $sites
  group by $n-receivers := $site?n_receivers
  order by $n-receivers
  return map {
    "n_receivers": $n-receivers,
    "n_call_sites": count($site),
    "call_sites_share": stats:share(count($site), $n-sites),
    "n_calls": sum($site?n_calls),
    "calls_share": stats:share(sum($site?n_calls), $n-calls)
  }
