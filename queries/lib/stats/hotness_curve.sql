/**
 * @description The Lorenz curves of stats.hotness, hottest parts first, at every percent of them.
 * @param       parts  list  a struct for each part, with its n_executions and n_bytecodes; null: none
 * @column      percent           integer     from 0 to 100
 * @column      n_hot             integer     how many parts that is
 * @column      executions_share  number   1  of all executions, on these; null if there are none
 * @column      bytecodes_share   number   1  of all bytecodes executed, on these; null if there are none
 */
CREATE MACRO stats.hotness_curve(parts) AS TABLE
    WITH executions AS (
        FROM stats.curve(COALESCE(list_transform(parts, lambda part: part.n_executions), []))
    ),
    bytecodes AS (
        FROM stats.curve(COALESCE(list_transform(parts, lambda part: part.n_bytecodes), []))
    )
    SELECT executions.percent,
           executions.n_top AS n_hot,
           executions.total_share AS executions_share,
           bytecodes.total_share AS bytecodes_share
    FROM executions
    JOIN bytecodes ON bytecodes.percent = executions.percent
    ORDER BY executions.percent
