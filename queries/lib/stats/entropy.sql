/**
 * @description The Shannon entropy of a distribution: 0 when all falls on one part, log2(n) when n
 *              parts are equal.
 * @param       parts  list  counts, none of them negative
 * @returns     number of bits; null if the total is 0 or there are no values
 */
CREATE MACRO stats.entropy(parts) AS (
    CASE WHEN list_sum(parts::DOUBLE[]) > 0 THEN
        list_sum(
            list_transform(
                list_sort(list_filter(parts::DOUBLE[], lambda n: n > 0)),
                lambda n:
                    n / list_sum(parts::DOUBLE[]) * (ln(list_sum(parts::DOUBLE[]) / n) / ln(2))
            )
        )
    END
)
