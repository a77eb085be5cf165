/**
 * @description What is known of each class before any of its objects is made, and where its objects
 *              were allocated.
 * @column      class_id            integer          class
 * @column      type                text             its name
 * @column      type_package        text             its package
 * @column      type_loader         text             boot, platform, app or other
 * @column      type_language       text             extension of its source file; null: none
 * @column      superclass          text             name of its superclass; null: none
 * @column      is_hidden           boolean          whether it is hidden, as those of lambdas are
 * @column      n_interfaces        integer          its direct superinterfaces
 * @column      n_fields            integer  field   instance fields that it declares
 * @column      n_reference_fields  integer  field   those of objects and arrays
 * @column      n_final_fields      integer  field   those that are final
 * @column      size_bytes          integer  byte    size of an object; null: none was seen to be allocated
 * @column      n_sites             integer  place   instructions that allocated it; null: none was seen
 * @column      mean_depth          integer  call    mean number of calls on the stack, rounded; null: none was seen
 * @column      package             text             package whose methods allocated most of its objects; null: none was seen
 */
CREATE MACRO features.classes() AS TABLE
    WITH made AS (
        SELECT a.class_id,
               a.instruction_id,
               m.class_id AS allocating_id,
               SUM(a.n_objects) AS n_objects,
               SUM(a.n_objects * node.depth) AS sum_depth,
               MAX(a.size_bytes) AS size_bytes
        FROM allocation AS a
        JOIN run.context AS node ON node.context_id = a.context_id
        LEFT JOIN run.method AS m ON m.method_id = node.method_id
        WHERE a.type[1] != '['
        GROUP BY ALL
    ),
    packages AS (
        SELECT made.class_id,
               features._package(c.name, c.is_hidden) AS package,
               SUM(made.n_objects) AS n_objects
        FROM made
        JOIN run.class AS c ON c.class_id = made.allocating_id
        GROUP BY ALL
    ),
    most AS (
        SELECT class_id, FIRST(package ORDER BY n_objects DESC, package) AS package
        FROM packages
        GROUP BY class_id
    ),
    places AS (
        SELECT class_id,
               MAX(size_bytes) AS size_bytes,
               COUNT(DISTINCT instruction_id) AS n_sites,
               ROUND(SUM(sum_depth) / SUM(n_objects))::BIGINT AS mean_depth
        FROM made
        GROUP BY class_id
    )
    SELECT t.class_id,
           t.type,
           t.type_package,
           t.type_loader,
           t.type_language,
           t.superclass,
           t.is_hidden,
           t.n_interfaces,
           t.n_fields,
           t.n_reference_fields,
           t.n_final_fields,
           places.size_bytes,
           places.n_sites,
           places.mean_depth,
           most.package
    FROM features._types() AS t
    LEFT JOIN places ON places.class_id = t.class_id
    LEFT JOIN most ON most.class_id = t.class_id
