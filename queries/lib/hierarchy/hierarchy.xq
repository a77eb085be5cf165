(:~ The class hierarchy, as far as its classes were loaded. :)
module namespace hierarchy = "urn:jvmscope:hierarchy:1";

declare namespace dcg = "urn:jvmscope:dcg:1";
declare namespace map = "http://www.w3.org/2005/xpath-functions/map";

(:~ A map for each class or interface: "id", "name", "loader", "super" ("" for none), "flags". :)
declare function hierarchy:classes($classes) {
  for $class in $classes//dcg:class
  return map {
    "id": string($class/@id),
    "name": string($class/@name),
    "loader": string($class/@loader),
    "super": string($class/@super),
    "flags": xs:integer($class/@accessFlags)
  }
};

(:~ A map for each direct superinterface of a class: "class" and "interface". :)
declare function hierarchy:interfaces($classes) {
  for $class in $classes//dcg:class, $interface in $class/dcg:interface
  return map { "class": string($class/@id), "interface": string($interface/@ref) }
};

(:~
 : The types by id: the maps of hierarchy:classes with "chain", the class and its superclasses, the
 : nearest first, and "supertypes", all types that it is a subtype of, itself included.
 :
 : @param classes    hierarchy:classes($classes)
 : @param interfaces hierarchy:interfaces($classes)
 :)
declare function hierarchy:types($classes as map(*)*, $interfaces as map(*)*) as map(*) {
  let $class := map:merge($classes ! map { ?id: . })
  let $direct := map:merge(
    for $row in $interfaces
    group by $id := $row?class
    return map { $id: $row?interface })
  return map:merge(
    for $type in $classes
    return map {
      $type?id: map:merge((
        $type,
        map {
          "chain": hierarchy:_chain($type?id, $class),
          "supertypes": distinct-values(hierarchy:_supertypes($type?id, $class, $direct))
        }))
    })
};

(:~ Whether an access flag is set. :)
declare function hierarchy:has-flag($flags as xs:integer, $flag as xs:integer) as xs:boolean {
  ($flags idiv $flag) mod 2 eq 1
};

(:~ The package of a class in JVM form, with a slash at its end; "" for none. :)
declare function hierarchy:package($class-name as xs:string) as xs:string {
  replace($class-name, "[^/]+$", "")
};

declare %private function hierarchy:_chain($id as xs:string, $class as map(*)) as xs:string* {
  if ($id eq "") then () else ($id, hierarchy:_chain($class($id)?super, $class))
};

declare %private function hierarchy:_supertypes(
  $id as xs:string, $class as map(*), $direct as map(*)
) as xs:string* {
  $id, ($class($id)?super[. ne ""], $direct($id)) ! hierarchy:_supertypes(., $class, $direct)
};
