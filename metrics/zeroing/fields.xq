(:~
 : @id           zeroing.fields
 : @name         Needless zeroing
 : @description  Instance fields of watched objects by their first access, counted once per object.
 :               If the first access is a write, the zero that the object was made with was
 :               needless. Accesses by reflection, handles, atomic updaters and Unsafe count like those by
 :               bytecode; a compareAndSet reads first. Accesses by native code and the VM are not
 :               seen.
 : @kind         metric
 : @version      2
 : @grain        bin
 : @column       type            text            all, primitive or reference: what the fields hold
 : @column       n_fields        integer  field  fields of all watched objects
 : @column       n_needless      integer  field  fields that were written first
 : @column       n_needed        integer  field  fields that were read first
 : @column       n_unaccessed    integer  field  fields that were never accessed
 : @column       needless_share  number   1      n_needless as a share of n_fields
 : @shares       needless_share
 : @levels       n_fields n_needless n_needed n_unaccessed
 : @better       none
 : @requires     field_zeroing, field
 : @source       METRICS zeroing; Sarimbekov et al. 2013, Table 1 and section 2.2.2
 : @tags         zeroing objects paper
 :)
import module namespace stats = "urn:jvmscope:stats:1";

let $counted :=
  for $each in $classes//dcg:fieldZeroing, $field in $classes//dcg:field[@id = $each/@field]
  return map {
    "type": if (substring($field/@descriptor, 1, 1) = ("L", "[")) then "reference" else "primitive",
    "n_fields": xs:integer($each/@nObjects),
    "n_needless": xs:integer($each/@nWrittenFirst),
    "n_needed": xs:integer($each/@nReadFirst)
  }
for $type in ("all", "primitive", "reference")
let $found := $counted[$type = ("all", ?type)]
let $n-fields := sum($found?n_fields)
let $n-needless := sum($found?n_needless)
let $n-needed := sum($found?n_needed)
return map {
  "type": $type,
  "n_fields": $n-fields,
  "n_needless": $n-needless,
  "n_needed": $n-needed,
  "n_unaccessed": $n-fields - $n-needless - $n-needed,
  "needless_share": stats:share($n-needless, $n-fields)
}
