/**
 * @description A method as people read it: java.util.List.add(int, java.lang.Object).
 * @param       class_name   text  in JVM form
 * @param       method_name  text  as method.name has it
 * @param       descriptor   text  the method's descriptor
 * @returns     text; null if one of them is null
 */
CREATE MACRO names.method(class_name, method_name, descriptor) AS (
    names.dotted(class_name) || '.' || method_name || names.parameters(descriptor)
)
