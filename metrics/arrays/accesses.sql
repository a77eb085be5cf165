/**
 * @id           arrays.accesses
 * @name         Array accesses
 * @description  Executions of array instructions: loads and stores of elements, arraylength, and
 *               array creation (newarray, anewarray, multianewarray); in total and per thousand
 *               bytecodes executed. Numeric elements are byte or boolean, short, int, long, float
 *               and double; char is counted separately. Arrays that native code reads, writes or
 *               creates (System.arraycopy, clone) do not count.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_accesses         integer  execution    executions of all array instructions
 * @column       n_reference        integer  execution    aaload and aastore
 * @column       n_char             integer  execution    caload and castore
 * @column       n_numeric          integer  execution    loads and stores of numeric elements
 * @column       n_lengths          integer  execution    arraylength
 * @column       n_creations        integer  execution    newarray, anewarray, multianewarray
 * @column       n_aaload           integer  execution    executions of aaload
 * @column       n_aastore          integer  execution    executions of aastore
 * @column       density            number   1/kbytecode  accesses per thousand bytecodes
 * @column       reference_density  number   1/kbytecode  n_reference per thousand bytecodes
 * @column       char_density       number   1/kbytecode  n_char per thousand bytecodes
 * @column       numeric_density    number   1/kbytecode  n_numeric per thousand bytecodes
 * @column       aaload_density     number   1/kbytecode  n_aaload per thousand bytecodes
 * @column       aastore_density    number   1/kbytecode  n_aastore per thousand bytecodes
 * @column       n_bytecodes        integer  bytecode     bytecodes executed
 * @sums         n_accesses n_reference n_char n_numeric n_lengths n_creations n_aaload n_aastore
 *               n_bytecodes
 * @levels       density reference_density char_density numeric_density aaload_density
 *               aastore_density
 * @overview     190 density accesses to arrays per thousand bytecodes
 * @better       none
 * @requires     thread_block, basic_block, instruction
 * @import       blocks
 * @import       stats
 * @source       Dufour et al. 2003 (*J) data.arrayDensity, data.charArrayDensity,
 *               data.numArrayDensity, data.refArrayDensity; DaCapo Chopin BAL and BAS, which divide
 *               aaload and aastore by time
 * @tags         arrays starj dacapo
 */
WITH executed AS (
    SELECT CASE
               WHEN opcode IN ('aaload', 'aastore', 'arraylength') THEN opcode
               WHEN opcode IN ('caload', 'castore') THEN 'char'
               WHEN opcode IN ('newarray', 'anewarray', 'multianewarray') THEN 'creation'
               ELSE 'numeric'
           END AS kind,
           n_executions
    FROM blocks.instructions()
    WHERE opcode IN (
        'aaload', 'aastore', 'arraylength', 'caload', 'castore',
        'newarray', 'anewarray', 'multianewarray',
        'baload', 'saload', 'iaload', 'laload', 'faload', 'daload',
        'bastore', 'sastore', 'iastore', 'lastore', 'fastore', 'dastore'
    )
),
counted AS (
    SELECT COALESCE(SUM(n_executions), 0)::BIGINT AS n_accesses,
           COALESCE(SUM(n_executions) FILTER (WHERE kind = 'char'), 0)::BIGINT AS n_char,
           COALESCE(SUM(n_executions) FILTER (WHERE kind = 'numeric'), 0)::BIGINT AS n_numeric,
           COALESCE(SUM(n_executions) FILTER (WHERE kind = 'arraylength'), 0)::BIGINT AS n_lengths,
           COALESCE(SUM(n_executions) FILTER (WHERE kind = 'creation'), 0)::BIGINT AS n_creations,
           COALESCE(SUM(n_executions) FILTER (WHERE kind = 'aaload'), 0)::BIGINT AS n_aaload,
           COALESCE(SUM(n_executions) FILTER (WHERE kind = 'aastore'), 0)::BIGINT AS n_aastore,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM blocks.executed())::BIGINT AS n_bytecodes
    FROM executed
)
SELECT n_accesses,
       n_aaload + n_aastore AS n_reference,
       n_char,
       n_numeric,
       n_lengths,
       n_creations,
       n_aaload,
       n_aastore,
       stats.per_thousand(n_accesses, n_bytecodes) AS density,
       stats.per_thousand(n_aaload + n_aastore, n_bytecodes) AS reference_density,
       stats.per_thousand(n_char, n_bytecodes) AS char_density,
       stats.per_thousand(n_numeric, n_bytecodes) AS numeric_density,
       stats.per_thousand(n_aaload, n_bytecodes) AS aaload_density,
       stats.per_thousand(n_aastore, n_bytecodes) AS aastore_density,
       n_bytecodes
FROM counted
