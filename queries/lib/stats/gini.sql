/**
 * @description The Gini coefficient of the Lorenz curve of some counts: 0 when all are equal, near
 *              1 when one has all.
 * @param       parts  list  counts, none of them negative
 * @returns     number from 0 to 1; null if the total is 0 or there are no values
 */
CREATE MACRO stats.gini(parts) AS (
    list_sum(
        list_transform(
            list_reverse_sort(parts),
            lambda part, rank: part::HUGEINT * (length(parts) + 1 - 2 * rank)
        )
    )::DOUBLE / NULLIF(length(parts) * list_sum(parts), 0)
)
