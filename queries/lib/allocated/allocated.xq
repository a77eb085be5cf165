(:~ What allocations add up to. :)
module namespace allocated = "urn:jvmscope:allocated:1";

(:~ How many objects were allocated, arrays among them. :)
declare function allocated:objects($allocations as element()*) as xs:integer {
  sum(for $each in $allocations return xs:integer($each/dcg:objectCount))
};

(:~ The bytes of the objects of known size. :)
declare function allocated:bytes($allocations as element()*) as xs:integer {
  sum(
    for $each in $allocations[@sizeBytes]
    return xs:integer($each/dcg:objectCount) * xs:integer($each/@sizeBytes))
};
