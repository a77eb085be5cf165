(:~
 : @id           immutability.fields
 : @name         Immutable fields
 : @description  Instance fields of watched objects that are immutable, counted once per object; and
 :               declared fields that are immutable in every watched object. A field is virgin until
 :               its first access. A read makes it immutable, and so does a write while a
 :               constructor of its object runs in the same thread; any other write makes it mutable
 :               for ever. Accesses by reflection, handles, atomic updaters and Unsafe count like
 :               those by bytecode; a compareAndSet that fails only reads. Accesses by native code
 :               and the VM are not seen.
 : @kind         metric
 : @version      2
 : @grain        run
 : @column       n_fields                  integer  field  fields of all watched objects
 : @column       n_immutable               integer  field  immutable fields
 : @column       n_mutable                 integer  field  mutable fields
 : @column       n_virgin                  integer  field  fields that were never accessed
 : @column       immutable_share           number   1      n_immutable as a share of n_fields
 : @column       n_declared                integer  field  declared fields that a watched object has
 : @column       n_declared_immutable      integer  field  of these, fields that are immutable in every watched object
 : @column       declared_immutable_share  number   1      n_declared_immutable as a share of n_declared
 : @sums         n_fields n_immutable n_mutable n_virgin
 : @shares       immutable_share declared_immutable_share
 : @levels       n_declared n_declared_immutable
 : @better       none
 : @requires     field_immutability
 : @source       METRICS immutability; Sarimbekov et al. 2013, Table 1, section 2.2.1 and Figure 2
 : @tags         immutability objects paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $fields := $classes//dcg:fieldImmutability
let $n-fields := sum($fields/xs:integer(@nObjects))
let $n-immutable := sum($fields/xs:integer(@nImmutable))
let $n-mutable := sum($fields/xs:integer(@nMutable))
let $n-declared := count($fields)
let $n-declared-immutable := count(
  for $field in $fields where xs:integer($field/@nImmutable) eq xs:integer($field/@nObjects)
  return $field)
return map {
  "n_fields": $n-fields,
  "n_immutable": $n-immutable,
  "n_mutable": $n-mutable,
  "n_virgin": $n-fields - $n-immutable - $n-mutable,
  "immutable_share": stats:share($n-immutable, $n-fields),
  "n_declared": $n-declared,
  "n_declared_immutable": $n-declared-immutable,
  "declared_immutable_share": stats:share($n-declared-immutable, $n-declared)
}
