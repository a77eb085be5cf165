/**
 * @description A class name as Java writes it: java.util.Map$Entry for java/util/Map$Entry, and
 *              int[] for [I.
 * @param       class_name  text  in JVM form, as class.name has it
 * @returns     text; null for null
 */
CREATE MACRO names.dotted(class_name) AS (
    CASE WHEN starts_with(class_name, '[')
         THEN names._type(class_name)
         ELSE replace(class_name, '/', '.')
    END
)
