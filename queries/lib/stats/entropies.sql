/**
 * @description How unpredictable several distributions are, each of its own counts: what their
 *              entropies are on average and at most.
 * @param       distributions  list  a list of counts for each, none of them negative
 * @column      n_distributions    integer       how many there are
 * @column      n                  integer       the total of all counts
 * @column      weighted_entropy   number   bit  the mean over the totals: large ones weigh more
 * @column      mean_entropy       number   bit  the mean over the distributions
 * @column      max_entropy        number   bit  the largest
 */
CREATE MACRO stats.entropies(distributions) AS TABLE
    WITH distribution AS (
        SELECT list_sum(counts)::BIGINT AS n, stats.entropy(counts) AS entropy
        FROM (SELECT UNNEST(distributions) AS counts)
    )
    SELECT COUNT(*) AS n_distributions,
           COALESCE(SUM(n), 0)::BIGINT AS n,
           stats.share(SUM(n * entropy ORDER BY n, entropy), SUM(n)) AS weighted_entropy,
           stats.share(SUM(entropy ORDER BY entropy), COUNT(*)) AS mean_entropy,
           MAX(entropy) AS max_entropy
    FROM distribution
