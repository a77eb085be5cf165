/**
 * @description How many the first are of n by a cutoff: ceil(cutoff * n), computed exactly.
 * @param       n       integer  how many there are
 * @param       cutoff  number   fraction of them, from 0 to 1, with up to twelve decimals
 * @returns     integer
 */
CREATE MACRO stats.n_top(n, cutoff) AS (
    CEIL(cutoff::DECIMAL(18, 12) * n)::BIGINT
)
