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
    WITH counted AS (
        SELECT b.method_id, opcodes.widened(i.opcode, i.operand) AS opcode, COUNT(*) AS n
        FROM run.instruction AS i
        JOIN run.basic_block AS b ON b.basic_block_id = i.basic_block_id
        GROUP BY ALL
    ),
    kinds AS (
        SELECT opcode,
               CASE
                   WHEN opcode LIKE 'invoke%' THEN 'call'
                   WHEN opcode IN ('getfield', 'putfield', 'getstatic', 'putstatic') THEN 'field'
                   WHEN regexp_full_match(
                       opcode, '[ilfdabcs]a(load|store)|arraylength') THEN 'array'
                   WHEN regexp_full_match(
                       opcode,
                       '[ilfd](add|sub|mul|div|rem|neg)|[il](u?sh[lr]|and|or|xor)|iinc|[ilfd]2[ilfdbcs]'
                   ) THEN 'arithmetic'
                   WHEN regexp_full_match(
                       opcode, 'if.*|goto(_w)?|.*switch') THEN 'branch'
               END AS kind
        FROM (SELECT DISTINCT opcode FROM counted)
    ),
    coded AS (
        SELECT method_id,
               SUM(n) AS n_instructions,
               COALESCE(SUM(n) FILTER (kind = 'call'), 0) AS n_calls,
               COALESCE(SUM(n) FILTER (kind = 'field'), 0) AS n_fields,
               COALESCE(SUM(n) FILTER (kind = 'array'), 0) AS n_arrays,
               COALESCE(SUM(n) FILTER (kind = 'arithmetic'), 0) AS n_arithmetic,
               COALESCE(SUM(n) FILTER (kind = 'branch'), 0) AS n_branches
        FROM counted
        JOIN kinds USING (opcode)
        GROUP BY method_id
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
