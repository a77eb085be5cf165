/**
 * @description The bin of a count among bins that double: 0, 1, 2, 3-4, 5-8, …; a bin is named by
 *              its largest count.
 * @param       n  integer  a count, not negative
 * @returns     integer: 0, or the smallest power of two that is at least n
 */
CREATE MACRO stats.doubling_bin(n) AS (
    CASE WHEN n <= 1 THEN n::BIGINT ELSE 1::BIGINT << length(bin(n - 1)) END
)
