(:~
 : @id           locking.objects
 : @name         Locked objects
 : @description  Objects that were locked, and the operations on their monitors: entries by
 :               synchronized blocks and methods, and calls of Object.wait, which releases and takes
 :               a monitor again. A lock is recursive if a thread entered it again while it held it.
 :               Monitors entered by native code (JNI) and by the VM's own threads are not seen;
 :               docs/agent.md lists what else is not. A scope selects objects by their class, not
 :               by who locks them: an Object that the application locks is of the JDK, so the scope
 :               application leaves it out. locking.operations counts entries by the method that
 :               locks.
 : @kind         metric
 : @version      1
 : @grain        run
 : @column       n_objects           integer  object     objects that were locked
 : @column       n_operations        integer  execution  entries and waits
 : @column       mean_operations     number   execution  n_operations per object
 : @column       n_block_entries     integer  execution  entries by synchronized blocks
 : @column       n_method_entries    integer  execution  entries by synchronized methods
 : @column       n_waits             integer  call       calls of Object.wait
 : @column       n_notifications     integer  call       calls of Object.notify and notifyAll
 : @column       n_shared_objects    integer  object     objects that two or more threads locked
 : @column       shared_share        number   1          n_shared_objects as a share of n_objects
 : @column       n_recursive         integer  object     objects with a recursive lock
 : @column       recursive_share     number   1          n_recursive as a share of n_objects
 : @column       max_depth           integer  execution  deepest nesting: entries of one monitor that one thread had not left
 : @sums         n_objects n_operations n_block_entries n_method_entries n_waits n_notifications
 :               n_shared_objects n_recursive
 : @shares       shared_share recursive_share
 : @levels       mean_operations max_depth
 : @better       none
 : @requires     object_lock, lock_depth
 : @source       METRICS locking; Sarimbekov et al. 2013, Table 1 and section 2.2.1
 : @tags         locking objects concurrency paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $locks := $classes//dcg:objectLock
let $n-objects := sum(for $each in $locks return xs:integer($each/@nObjects))
let $n-block-entries := sum(for $each in $locks return xs:integer($each/@nBlockEntries))
let $n-method-entries := sum(for $each in $locks return xs:integer($each/@nMethodEntries))
let $n-waits := sum(for $each in $locks return xs:integer($each/@nWaits))
let $n-shared := sum(for $each in $locks return xs:integer($each/@nSharedObjects))
let $n-recursive := sum(
  for $each in $classes//dcg:lockDepth[xs:integer(@depth) gt 1] return xs:integer($each/@nObjects))
let $n-operations := $n-block-entries + $n-method-entries + $n-waits
return map {
  "n_objects": $n-objects,
  "n_operations": $n-operations,
  "mean_operations": stats:share($n-operations, $n-objects),
  "n_block_entries": $n-block-entries,
  "n_method_entries": $n-method-entries,
  "n_waits": $n-waits,
  "n_notifications": sum(for $each in $locks return xs:integer($each/@nNotifications)),
  "n_shared_objects": $n-shared,
  "shared_share": stats:share($n-shared, $n-objects),
  "n_recursive": $n-recursive,
  "recursive_share": stats:share($n-recursive, $n-objects),
  "max_depth": max(for $each in $locks return xs:integer($each/@maxDepth))
}
