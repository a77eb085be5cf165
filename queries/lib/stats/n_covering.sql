/**
 * @description How few of some counts cover a share of their total: the smallest number of them,
 *              largest first, that sum to at least ceil(share * total).
 * @param       parts  list    counts, none of them negative
 * @param       share  number  fraction of the total, from 0 to 1, with up to six decimals
 * @returns     integer; 0 if the total is 0 or there are none
 */
CREATE MACRO stats.n_covering(parts, share) AS (
    SELECT COUNT(*)
    FROM (
        SELECT SUM(part) OVER (ORDER BY part DESC ROWS UNBOUNDED PRECEDING) - part AS before
        FROM (SELECT UNNEST(parts) AS part)
    )
    WHERE before < CEIL(share::DECIMAL(9, 6) * list_sum(parts))
)
