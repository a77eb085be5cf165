/**
 * @id           native.contexts
 * @name         Calls of native methods by context
 * @description  For each context: the calls of native methods that it made itself, and those of the
 *               contexts below it in the scope. A native method is a context of its own; where the
 *               calling context tree has none, as for natives that override a method, its calls are
 *               of the context that called. Contexts without such calls below are left out.
 * @kind         table
 * @version      2
 * @grain        context
 * @column       context_id       integer        context
 * @column       n_calls          integer  call  calls of native methods in the context itself
 * @column       inclusive_calls  integer  call  calls in its subtree, including itself
 * @sums         n_calls
 * @levels       inclusive_calls
 * @sort         inclusive_calls
 * @better       none
 * @param        min_calls integer 1 leave out contexts with fewer calls in the subtree
 * @requires     context_native, context, unfolded
 * @import       natives
 * @source       METRICS native code
 * @tags         native calls context
 */
SELECT below.context_id,
       COALESCE(own.n_calls, 0)::BIGINT AS n_calls,
       below.n_calls AS inclusive_calls
FROM natives.inclusive_calls() AS below
LEFT JOIN natives.calls() AS own ON own.context_id = below.context_id
WHERE below.n_calls >= greatest($min_calls, 1)
ORDER BY below.context_id
