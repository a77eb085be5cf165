/**
 * @description The package of a class; that of a hidden class is its host's.
 * @param       name       text     class in JVM form
 * @param       is_hidden  boolean  whether it is hidden, so that a hash follows its host's name
 * @returns     text
 */
CREATE MACRO features._package(name, is_hidden) AS
    regexp_replace(name, CASE WHEN is_hidden THEN '/?[^/]*/[^/]*$' ELSE '/?[^/]*$' END, '')
