/**
 * @description The Lorenz curve of some counts, largest first, at every percent of them: the share
 *              of the total that falls on the first ceil(percent / 100 * n) of n counts.
 * @param       parts  list  counts, none of them negative
 * @column      percent      integer     from 0 to 100
 * @column      n_top        integer     how many counts that is
 * @column      total_share  number   1  of the total, on these; null if the total is 0
 */
CREATE MACRO stats.curve(parts) AS TABLE
    WITH ranked AS (
        SELECT UNNEST(list_reverse_sort(parts)) AS part,
               UNNEST(range(1, length(parts) + 1)) AS rank
    ),
    summed AS (
        SELECT rank,
               SUM(part) OVER (ORDER BY rank ROWS UNBOUNDED PRECEDING) AS upto,
               SUM(part) OVER () AS total
        FROM ranked
        UNION ALL
        SELECT 0, 0, list_sum(parts)
    ),
    cutoff AS (
        SELECT percent, (percent * length(parts) + 99) // 100 AS n_top
        FROM range(101) AS cutoffs(percent)
        WHERE length(parts) > 0
    )
    SELECT cutoff.percent,
           cutoff.n_top,
           summed.upto::DOUBLE / NULLIF(summed.total, 0) AS total_share
    FROM cutoff
    JOIN summed ON summed.rank = cutoff.n_top
    ORDER BY cutoff.percent
