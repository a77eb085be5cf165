/**
 * @description The parameter types of a method as Java writes them: (int, java.lang.String[]).
 * @param       descriptor  text  a method's descriptor, as (I[Ljava/lang/String;)V
 * @returns     text; null for null
 */
CREATE MACRO names.parameters(descriptor) AS (
    '(' || array_to_string(
        list_transform(
            regexp_extract_all(split_part(descriptor, ')', 1), '\[*(?:[BCDFIJSZ]|L[^;]+;)'),
            lambda part: names._type(part)
        ),
        ', '
    ) || ')'
)
