/**
 * @description The k-calling context forest: for each path of at most k calls that leads to a
 *              method, the routine, how often the stack ended in it. A path is the routine, its
 *              caller, and so on, whatever the call sites; one without its outermost caller is its
 *              parent, and the routines alone are the roots. With k = 0 it is the profile of
 *              methods, with k = 1 that of callers and callees; null: no limit. Executions count if
 *              their context is in the scope; callers are seen beyond it. Where calls were folded
 *              (back_edge), paths of more than one call are not those that were taken.
 * @param       k  integer  calls in the longest paths
 * @column      path_id      integer            path, from 0, the shorter ones first
 * @column      parent_id    integer            the path without its outermost caller; null: a root
 * @column      depth        integer            calls in the path
 * @column      routine_id   integer            method that it leads to
 * @column      method_id    integer            its outermost method; of a root the routine
 * @column      n_calls      integer  call      executions of the routine by this path
 * @column      n_bytecodes  integer  bytecode  bytecodes of the routine in them, callees excluded
 * @column      n_contexts   integer  context   calling contexts that the path stands for
 */
CREATE MACRO cct.k_forest(k) AS TABLE
    WITH tree AS (
        SELECT LIST(context_id) AS ids,
               LIST(parent_id) AS parents,
               LIST(method_id) AS methods
        FROM run.context
    ),
    counted AS (
        SELECT LIST(context_id) AS counted_ids,
               LIST(n_calls) AS calls,
               LIST(n_bytecodes) AS bytecodes
        FROM context
    )
    SELECT UNNEST(
               _k_forest(k, ids, parents, methods, counted_ids, calls, bytecodes),
               recursive := true
           )
    FROM tree, counted
