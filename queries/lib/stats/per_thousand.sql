/**
 * @description How often something happened for every thousand of something else: a density, such
 *              as array accesses per thousand bytecodes.
 * @param       part   number  how often it happened
 * @param       whole  number  how many of the other there were
 * @returns     number; null if the whole is 0 or one of them is null
 */
CREATE MACRO stats.per_thousand(part, whole) AS (
    (1000 * part::HUGEINT)::DOUBLE / NULLIF(whole, 0)
)
