/**
 * @id           hotness.focus
 * @name         Execution focus
 * @description  How often the bytecode at a percentile was executed, and its executions as a share
 *               of all bytecodes executed. The n distinct executed bytecodes are ordered by their
 *               executions, hottest first; the bytecode at percentile p is the one after the first
 *               floor(n * (1 - p / 100)). If n is below 1 / (1 - p / 100), this is the hottest one.
 * @kind         metric
 * @version      2
 * @grain        bin
 * @column       percentile    number              90, 99, 99.9 or 99.99
 * @column       n_executions  integer  execution  executions of the bytecode at the percentile
 * @column       share         number   1          of all bytecodes executed
 * @column       n_executed    integer  bytecode   distinct bytecodes executed
 * @column       n_bytecodes   integer  bytecode   bytecodes executed
 * @fixed        percentile
 * @shares       share
 * @levels       n_executions n_executed n_bytecodes
 * @better       none
 * @requires     thread_block, basic_block
 * @import       blocks
 * @import       stats
 * @source       DaCapo Chopin executed-bytecodes-p90 to -p9999; BEF is 1000 times the share at
 *               99.99, cut to an integer
 * @tags         hotness dacapo
 */
WITH ranked_block AS (
    SELECT n_executions,
           SUM(n_instructions) OVER hottest_first - n_instructions AS first_rank,
           SUM(n_instructions) OVER hottest_first AS next_rank
    FROM blocks.parts()
    WINDOW hottest_first AS (
        ORDER BY n_executions DESC, basic_block_id, first_offset ROWS UNBOUNDED PRECEDING
    )
),
total AS (
    SELECT COALESCE(SUM(n_instructions), 0)::BIGINT AS n_executed,
           COALESCE(SUM(n_bytecodes), 0)::BIGINT AS n_bytecodes
    FROM blocks.parts()
),
percentile (percentile, n_parts) AS (
    VALUES (90.0::DOUBLE, 10), (99.0, 100), (99.9, 1000), (99.99, 10000)
)
SELECT p.percentile,
       b.n_executions,
       stats.share(b.n_executions, t.n_bytecodes) AS share,
       t.n_executed,
       t.n_bytecodes
FROM percentile AS p
CROSS JOIN total AS t
JOIN ranked_block AS b
  ON t.n_executed // p.n_parts >= b.first_rank
 AND t.n_executed // p.n_parts < b.next_rank
ORDER BY p.percentile
