/**
 * @description A type's descriptor as Java writes it: long[] for [J.
 * @param       descriptor  text  one type of a descriptor
 * @returns     text; null for null
 */
CREATE MACRO names._type(descriptor) AS (
    CASE ltrim(descriptor, '[')[1]
        WHEN 'B' THEN 'byte'
        WHEN 'C' THEN 'char'
        WHEN 'D' THEN 'double'
        WHEN 'F' THEN 'float'
        WHEN 'I' THEN 'int'
        WHEN 'J' THEN 'long'
        WHEN 'S' THEN 'short'
        WHEN 'Z' THEN 'boolean'
        WHEN 'V' THEN 'void'
        ELSE replace(regexp_extract(descriptor, 'L([^;]+);', 1), '/', '.')
    END || repeat('[]', length(descriptor) - length(ltrim(descriptor, '[')))
)
