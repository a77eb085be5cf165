/**
 * @description How much of what is executed falls on the hottest parts of a program: the first
 *              ceil(cutoff * n) of its n parts, ranked by executions for the first share and by
 *              bytecodes for the second.
 * @param       parts   list    a struct for each part, with its n_executions and n_bytecodes; null: none
 * @param       cutoff  number  fraction of the parts that are the hottest
 * @column      n                 integer             parts
 * @column      n_hot             integer             the hottest of them
 * @column      n_executions      integer  execution  executions of all
 * @column      n_bytecodes       integer  bytecode   bytecodes executed by all
 * @column      executions_share  number   1          share of the executions on the hottest
 * @column      bytecodes_share   number   1          share of the bytecodes on the hottest
 * @column      executions_gini   number   1          Gini coefficient of the executions
 * @column      bytecodes_gini    number   1          Gini coefficient of the bytecodes
 */
CREATE MACRO stats.hotness(parts, cutoff) AS TABLE
    WITH executed AS (
        SELECT COALESCE(list_transform(parts, lambda part: part.n_executions), []) AS executions,
               COALESCE(list_transform(parts, lambda part: part.n_bytecodes), []) AS bytecodes
    )
    SELECT length(executions) AS n,
           stats.n_top(length(executions), cutoff) AS n_hot,
           COALESCE(list_sum(executions), 0)::BIGINT AS n_executions,
           COALESCE(list_sum(bytecodes), 0)::BIGINT AS n_bytecodes,
           stats.top_share(executions, cutoff) AS executions_share,
           stats.top_share(bytecodes, cutoff) AS bytecodes_share,
           stats.gini(executions) AS executions_gini,
           stats.gini(bytecodes) AS bytecodes_gini
    FROM executed
