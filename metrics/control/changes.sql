/**
 * @id           control.changes
 * @name         Branches that change their direction
 * @description  Conditional branches and switches that change their direction. A change is an
 *               execution that goes another way than the execution before it in the same thread;
 *               for a switch, each target is a way. A branch with at least one change is changing.
 *               The first execution of a branch in a thread is not a change, but counts as an
 *               execution.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_branches             integer  instruction  branches executed
 * @column       n_changing             integer  instruction  branches that changed at least once
 * @column       n_executions           integer  execution    executions of branches
 * @column       n_changing_executions  integer  execution    executions of changing branches
 * @column       n_changes              integer  execution    executions that were a change
 * @column       changing_density       number   1/kbytecode  executions of changing branches per thousand bytecodes
 * @column       change_rate            number   1            share of executions that are changes
 * @column       n_bytecodes            integer  bytecode     bytecodes executed
 * @sums         n_executions n_changes n_bytecodes
 * @shares       change_rate
 * @levels       n_branches n_changing n_changing_executions changing_density
 * @better       none
 * @requires     branch_order, thread_method
 * @import       stats
 * @source       METRICS, metrics that depend on order; Dufour et al. 2003 (*J)
 *               structure.changingControlDensity, structure.changingControlRate, which know one
 *               order for all threads
 * @tags         control order starj
 */
WITH branch AS (
    SELECT instruction_id,
           SUM(n_executions)::BIGINT AS n_executions,
           SUM(n_changes)::BIGINT AS n_changes
    FROM branch_order
    GROUP BY instruction_id
    HAVING SUM(n_executions) > 0
),
counted AS (
    SELECT COUNT(*) AS n_branches,
           COUNT(*) FILTER (WHERE n_changes > 0) AS n_changing,
           COALESCE(SUM(n_executions), 0)::BIGINT AS n_executions,
           COALESCE(SUM(n_executions) FILTER (WHERE n_changes > 0), 0)::BIGINT
               AS n_changing_executions,
           COALESCE(SUM(n_changes), 0)::BIGINT AS n_changes,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM thread_method)::BIGINT AS n_bytecodes
    FROM branch
)
SELECT n_branches,
       n_changing,
       n_executions,
       n_changing_executions,
       n_changes,
       stats.per_thousand(n_changing_executions, n_bytecodes) AS changing_density,
       stats.share(n_changes, n_executions) AS change_rate,
       n_bytecodes
FROM counted
