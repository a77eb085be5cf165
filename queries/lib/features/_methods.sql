/**
 * @description What is known of each method before it runs: where it is from, and of which
 *              instructions its code consists. Percentages are whole numbers, and null of a method
 *              without code.
 * @column      method_id       integer        method
 * @column      method          text           its name
 * @column      package         text           the package of its class
 * @column      loader          text           boot, platform, app or other
 * @column      language        text           extension of its source file; null: none
 * @column      code_bytes      integer  byte  size of its code
 * @column      calls_pct       integer        percentage of its instructions that call
 * @column      fields_pct      integer        percentage that read or write fields
 * @column      arrays_pct      integer        percentage that read or write elements, or take lengths
 * @column      arithmetic_pct  integer        percentage that compute or convert numbers
 * @column      branches_pct    integer        percentage that branch, switches included
 */
CREATE MACRO features._methods() AS TABLE
    WITH coded AS (
        SELECT b.method_id,
               COUNT(*) AS n_instructions,
               COUNT(*) FILTER (WHERE i.opcode::VARCHAR LIKE 'invoke%') AS n_calls,
               COUNT(*) FILTER (
                   WHERE i.opcode IN ('getfield', 'putfield', 'getstatic', 'putstatic')
               ) AS n_fields,
               COUNT(*) FILTER (
                   WHERE regexp_full_match(
                       i.opcode::VARCHAR, '[ilfdabcs]a(load|store)|arraylength')
               ) AS n_arrays,
               COUNT(*) FILTER (
                   WHERE regexp_full_match(
                       i.opcode::VARCHAR,
                       '[ilfd](add|sub|mul|div|rem|neg)|[il](u?sh[lr]|and|or|xor)|iinc|[ilfd]2[ilfdbcs]')
               ) AS n_arithmetic,
               COUNT(*) FILTER (
                   WHERE regexp_full_match(i.opcode::VARCHAR, 'if.*|goto(_w)?|.*switch')
               ) AS n_branches
        FROM run.instruction AS i
        JOIN run.basic_block AS b ON b.basic_block_id = i.basic_block_id
        GROUP BY b.method_id
    )
    SELECT m.method_id,
           m.name AS method,
           features._package(c.name, c.is_hidden) AS package,
           features._loader(c.loader) AS loader,
           features._language(c.source_file) AS language,
           m.size_bytes AS code_bytes,
           (100 * n_calls // n_instructions)::BIGINT AS calls_pct,
           (100 * n_fields // n_instructions)::BIGINT AS fields_pct,
           (100 * n_arrays // n_instructions)::BIGINT AS arrays_pct,
           (100 * n_arithmetic // n_instructions)::BIGINT AS arithmetic_pct,
           (100 * n_branches // n_instructions)::BIGINT AS branches_pct
    FROM run.method AS m
    JOIN run.class AS c ON c.class_id = m.class_id
    LEFT JOIN coded ON coded.method_id = m.method_id
