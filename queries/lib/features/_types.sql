/**
 * @description What is known of each class before any of its objects is made.
 * @column      class_id            integer           class
 * @column      type                text              its name
 * @column      type_package        text              its package
 * @column      type_loader         text              boot, platform, app or other
 * @column      type_language       text              extension of its source file; null: none
 * @column      superclass          text              name of its superclass; null: none
 * @column      is_hidden           boolean           whether it is hidden, as those of lambdas are
 * @column      n_interfaces        integer           its direct superinterfaces
 * @column      n_fields            integer  field    instance fields that it declares
 * @column      n_reference_fields  integer  field    those of objects and arrays
 * @column      n_final_fields      integer  field    those that are final
 */
CREATE MACRO features._types() AS TABLE
    WITH declared AS (
        SELECT class_id,
               COUNT(*) AS n_fields,
               COUNT(*) FILTER (WHERE descriptor[1] IN ('L', '[')) AS n_reference_fields,
               COUNT(*) FILTER (WHERE access_flags & 16 > 0) AS n_final_fields  -- ACC_FINAL
        FROM run.field
        WHERE NOT is_static
        GROUP BY class_id
    )
    SELECT c.class_id,
           c.name AS type,
           features._package(c.name, c.is_hidden) AS type_package,
           features._loader(c.loader) AS type_loader,
           features._language(c.source_file) AS type_language,
           s.name AS superclass,
           c.is_hidden,
           len(c.interface_ids)::BIGINT AS n_interfaces,
           COALESCE(d.n_fields, 0) AS n_fields,
           COALESCE(d.n_reference_fields, 0) AS n_reference_fields,
           COALESCE(d.n_final_fields, 0) AS n_final_fields
    FROM run.class AS c
    LEFT JOIN run.class AS s ON s.class_id = c.super_id
    LEFT JOIN declared AS d ON d.class_id = c.class_id
