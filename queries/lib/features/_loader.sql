/**
 * @description What a class was loaded by, without the ordinals that tell loaders apart.
 * @param       loader  text  loader of the class
 * @returns     text
 */
CREATE MACRO features._loader(loader) AS
    CASE WHEN loader IN ('boot', 'platform', 'app') THEN loader ELSE 'other' END
