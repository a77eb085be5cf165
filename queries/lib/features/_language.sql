/**
 * @description The language that a class was written in: the extension of its source file, as java,
 *              scala or rb.
 * @param       source_file  text  name of the source file
 * @returns     text
 */
CREATE MACRO features._language(source_file) AS
    NULLIF(lower(regexp_extract(source_file, '\.([A-Za-z]+)$', 1)), '')
