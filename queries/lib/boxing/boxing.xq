(:~ Boxed primitives. :)
module namespace boxing = "urn:jvmscope:boxing:1";

(:~ The eight classes whose objects are boxed primitives, in JVM form, by name. :)
declare variable $boxing:classes as xs:string+ := (
  "java/lang/Boolean", "java/lang/Byte", "java/lang/Character", "java/lang/Double",
  "java/lang/Float", "java/lang/Integer", "java/lang/Long", "java/lang/Short"
);

(:~ The wrapper class of that name, or "": a text that is known, so that SQL can group by it. :)
declare function boxing:class($name) {
  if ($name = "java/lang/Boolean") then "java/lang/Boolean" else
  if ($name = "java/lang/Byte") then "java/lang/Byte" else
  if ($name = "java/lang/Character") then "java/lang/Character" else
  if ($name = "java/lang/Double") then "java/lang/Double" else
  if ($name = "java/lang/Float") then "java/lang/Float" else
  if ($name = "java/lang/Integer") then "java/lang/Integer" else
  if ($name = "java/lang/Long") then "java/lang/Long" else
  if ($name = "java/lang/Short") then "java/lang/Short" else ""
};

(:~ The wrapper class whose static valueOf takes its primitive with that descriptor, or "". :)
declare function boxing:class-of-value-of($descriptor) {
  if ($descriptor = "(Z)Ljava/lang/Boolean;") then "java/lang/Boolean" else
  if ($descriptor = "(B)Ljava/lang/Byte;") then "java/lang/Byte" else
  if ($descriptor = "(C)Ljava/lang/Character;") then "java/lang/Character" else
  if ($descriptor = "(D)Ljava/lang/Double;") then "java/lang/Double" else
  if ($descriptor = "(F)Ljava/lang/Float;") then "java/lang/Float" else
  if ($descriptor = "(I)Ljava/lang/Integer;") then "java/lang/Integer" else
  if ($descriptor = "(J)Ljava/lang/Long;") then "java/lang/Long" else
  if ($descriptor = "(S)Ljava/lang/Short;") then "java/lang/Short" else ""
};
