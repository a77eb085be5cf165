/**
 * @description A part as a fraction of a whole.
 * @param       part   number  the part
 * @param       whole  number  the whole
 * @returns     number from 0 to 1; null if the whole is 0 or one of them is null
 */
CREATE MACRO stats.share(part, whole) AS (
    part::DOUBLE / NULLIF(whole, 0)
)
