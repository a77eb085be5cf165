/**
 * @description The share of a total that falls on its largest parts: of n values the first
 *              ceil(cutoff * n) in falling order.
 * @param       parts   list    counts, none of them negative
 * @param       cutoff  number  fraction of the values, from 0 to 1
 * @returns     number from 0 to 1; null if the total is 0 or there are no values
 */
CREATE MACRO stats.top_share(parts, cutoff) AS (
    list_sum(list_reverse_sort(parts)[:stats.n_top(length(parts), cutoff)])::DOUBLE
        / NULLIF(list_sum(parts), 0)
)
