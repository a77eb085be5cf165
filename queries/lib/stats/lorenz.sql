/**
 * @description The Lorenz curve of some counts, largest first: after each rank, the share of the
 *              ranks and of the total so far.
 * @param       parts  list  counts, none of them negative
 * @column      rank         integer     from 1, the largest
 * @column      ranks_share  number   1  rank divided by their number
 * @column      total_share  number   1  of the total, up to this rank
 */
CREATE MACRO stats.lorenz(parts) AS TABLE
    SELECT rank,
           rank::DOUBLE / length(parts) AS ranks_share,
           (SUM(part) OVER (ORDER BY rank))::DOUBLE
               / NULLIF(SUM(part) OVER (), 0) AS total_share
    FROM (
        SELECT UNNEST(list_reverse_sort(parts)) AS part,
               UNNEST(range(1, length(parts) + 1)) AS rank
    )
    ORDER BY rank
