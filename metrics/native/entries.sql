/**
 * @id           native.entries
 * @name         Calls of Java that no bytecode made
 * @description  Calls of Java methods by native code and by the VM: the first methods of threads,
 *               calls that native methods made by JNI, and those that the VM made by itself while
 *               bytecode or a native method ran, such as class initialisers and loadClass. They
 *               are contexts without a call instruction. What native code calls by JNI while no
 *               native method runs, as main by the launcher, is a first method. JNI's calls of
 *               methods that have no context are not among them. Calls of loadClass(String) by JNI
 *               or reflection count as the VM's own. Where classes were left out of the recording
 *               (--include, --exclude), the calls that their bytecode makes have no instruction
 *               either, so there are no values. In a scope, a call counts if the context of the
 *               method called is in it; calls by JNI and others are null if one context makes
 *               both and only some of them are in the scope.
 * @kind         metric
 * @version      5
 * @grain        run
 * @column       n_calls         integer  call  calls by native code and by the VM
 * @column       n_first         integer  call  first methods of threads, such as run, exit and main
 * @column       n_jni_calls     integer  call  by JNI in native methods
 * @column       n_initialisers  integer  call  class initialisers, called by the VM
 * @column       n_loads         integer  call  loadClass, called by the VM to resolve a class
 * @column       n_others        integer  call  other calls by the VM, as those of reflection
 * @sums         n_calls n_first n_jni_calls n_initialisers n_loads n_others
 * @better       none
 * @requires     context_native, context, call_site, unfolded
 * @source       METRICS native code; Binder et al. 2006 (SPA sees both kinds)
 * @tags         native calls
 */
WITH entered AS (
    SELECT c.context_id,
           c.parent_id,
           c.n_calls,
           caller.method_id IS NULL AS is_first,
           called.name = '<clinit>' AS is_initialiser,
           called.name = 'loadClass'
               AND called.descriptor = '(Ljava/lang/String;)Ljava/lang/Class;' AS is_load,
           NOT (is_first OR is_initialiser OR is_load) AS is_other
    FROM run.context AS c
    JOIN run.context AS caller ON caller.context_id = c.parent_id
    JOIN run.method AS called ON called.method_id = c.method_id
    LEFT JOIN run.call_site AS site ON site.call_site_id = c.call_site_id
    WHERE site.opcode IS NULL
), by_jni AS (
    SELECT context_id, SUM(n_jni_calls) AS n FROM run.context_native GROUP BY context_id
), scoped AS (
    SELECT entered.*, inside.context_id IS NOT NULL AS is_inside
    FROM entered
    LEFT JOIN context AS inside ON inside.context_id = entered.context_id
), counted AS (
    SELECT parent_id,
           COALESCE(SUM(n_calls) FILTER (WHERE is_inside), 0) AS n_calls,
           COALESCE(SUM(n_calls) FILTER (WHERE is_inside AND is_first), 0) AS n_first,
           COALESCE(
               SUM(n_calls) FILTER (WHERE is_inside AND is_initialiser AND NOT is_first), 0
           ) AS n_initialisers,
           COALESCE(
               SUM(n_calls) FILTER (WHERE is_inside AND is_load AND NOT is_first), 0
           ) AS n_loads,
           COALESCE(SUM(n_calls) FILTER (WHERE is_inside AND is_other), 0) AS n_inside,
           COALESCE(SUM(n_calls) FILTER (WHERE NOT is_inside AND is_other), 0) AS n_outside
    FROM scoped
    GROUP BY parent_id
), told AS (
    -- The caller knows how many calls it made by JNI, but not which: those inside the scope are at
    -- most all of them, and at least what is too many for the calls outside.
    SELECT counted.*,
           least(COALESCE(by_jni.n, 0), n_inside) AS n_jni,
           n_jni > greatest(least(COALESCE(by_jni.n, 0), n_inside + n_outside) - n_outside, 0)
               AS is_unknown
    FROM counted
    LEFT JOIN by_jni ON by_jni.context_id = counted.parent_id
), total AS (
    SELECT COALESCE(SUM(n_calls), 0)::BIGINT AS n_calls,
           COALESCE(SUM(n_first), 0)::BIGINT AS n_first,
           COALESCE(SUM(n_jni), 0)::BIGINT AS n_jni_calls,
           COALESCE(SUM(n_initialisers), 0)::BIGINT AS n_initialisers,
           COALESCE(SUM(n_loads), 0)::BIGINT AS n_loads,
           COALESCE(SUM(n_inside - n_jni), 0)::BIGINT AS n_others,
           COALESCE(BOOL_OR(is_unknown), FALSE) AS is_unknown
    FROM told
), left_out AS (
    SELECT MIN(class_name) AS name FROM run.exclusion WHERE method_name IS NULL
)
SELECT CASE WHEN left_out.name IS NULL THEN n_calls END AS n_calls,
       CASE WHEN left_out.name IS NULL THEN n_first END AS n_first,
       CASE WHEN left_out.name IS NULL AND NOT is_unknown THEN n_jni_calls END AS n_jni_calls,
       CASE WHEN left_out.name IS NULL THEN n_initialisers END AS n_initialisers,
       CASE WHEN left_out.name IS NULL THEN n_loads END AS n_loads,
       CASE WHEN left_out.name IS NULL AND NOT is_unknown THEN n_others END AS n_others,
       COALESCE(
           'calls by classes that were left out, such as ' || left_out.name
               || ', cannot be told from those of the VM; record again with all classes counted',
           CASE
               WHEN is_unknown
               THEN 'a context makes calls by JNI while the VM makes others, and only some of them '
                    || 'are in the scope; measure the whole run'
           END
       ) AS reason
FROM total
CROSS JOIN left_out
