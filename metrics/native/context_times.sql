/**
 * @id           native.context_times
 * @name         Processor time of native methods by context
 * @description  For each context: the processor time of native methods that it called itself, and
 *               of those below it in the scope. The Java methods that a native method calls back
 *               are below it; their time is not native. Contexts without such time below are left
 *               out. Differs from run to run.
 * @kind         table
 * @version      2
 * @grain        context
 * @column       context_id    integer      context
 * @column       self_ns       integer  ns  processor time of native methods in the context itself
 * @column       inclusive_ns  integer  ns  processor time in its subtree, including itself
 * @column       time_share    number   1   inclusive_ns as a share of that of the scope
 * @sums         self_ns
 * @levels       inclusive_ns
 * @shares       time_share
 * @sort         inclusive_ns
 * @better       none
 * @param        min_ns integer 1 leave out contexts with less time in the subtree
 * @requires     context_native_time, context, unfolded
 * @import       natives
 * @import       stats
 * @source       METRICS native code
 * @tags         native time context
 */
SELECT below.context_id,
       COALESCE(own.native_ns, 0)::BIGINT AS self_ns,
       below.native_ns AS inclusive_ns,
       stats.share(
           below.native_ns,
           (SELECT SUM(native_ns) FROM natives.times())
       ) AS time_share
FROM natives.inclusive_times() AS below
LEFT JOIN natives.times() AS own ON own.context_id = below.context_id
WHERE below.native_ns >= greatest($min_ns, 1)
ORDER BY below.context_id
