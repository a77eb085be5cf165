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
 *               either, so there are no values. In a scope, a call counts if the context
 *               of the method called is in it.
 * @kind         metric
 * @version      4
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
    SELECT c.parent_id,
           c.n_calls,
           caller.method_id IS NULL AS is_first,
           called.name = '<clinit>' AS is_initialiser,
           called.name = 'loadClass'
               AND called.descriptor = '(Ljava/lang/String;)Ljava/lang/Class;' AS is_load
    FROM context AS c
    JOIN run.context AS caller ON caller.context_id = c.parent_id
    JOIN run.method AS called ON called.method_id = c.method_id
    LEFT JOIN run.call_site AS site ON site.call_site_id = c.call_site_id
    WHERE site.opcode IS NULL
), counted AS (
    SELECT parent_id,
           SUM(n_calls) AS n_calls,
           SUM(n_calls) FILTER (WHERE is_first) AS n_first,
           SUM(n_calls) FILTER (WHERE NOT is_first AND is_initialiser) AS n_initialisers,
           SUM(n_calls) FILTER (WHERE NOT is_first AND is_load) AS n_loads
    FROM entered
    GROUP BY parent_id
), by_jni AS (
    SELECT context_id, SUM(n_jni_calls) AS n FROM run.context_native GROUP BY context_id
), told AS (
    SELECT n_calls,
           COALESCE(n_first, 0) AS n_first,
           COALESCE(n_initialisers, 0) AS n_initialisers,
           COALESCE(n_loads, 0) AS n_loads,
           least(
               COALESCE(by_jni.n, 0),
               n_calls - COALESCE(n_first, 0) - COALESCE(n_initialisers, 0) - COALESCE(n_loads, 0)
           ) AS n_jni
    FROM counted
    LEFT JOIN by_jni ON by_jni.context_id = counted.parent_id
), total AS (
    SELECT COALESCE(SUM(n_calls), 0)::BIGINT AS n_calls,
           COALESCE(SUM(n_first), 0)::BIGINT AS n_first,
           COALESCE(SUM(n_jni), 0)::BIGINT AS n_jni_calls,
           COALESCE(SUM(n_initialisers), 0)::BIGINT AS n_initialisers,
           COALESCE(SUM(n_loads), 0)::BIGINT AS n_loads,
           COALESCE(SUM(n_calls - n_first - n_jni - n_initialisers - n_loads), 0)::BIGINT
               AS n_others
    FROM told
), left_out AS (
    SELECT MIN(class_name) AS name FROM run.exclusion WHERE method_name IS NULL
)
SELECT CASE WHEN left_out.name IS NULL THEN n_calls END AS n_calls,
       CASE WHEN left_out.name IS NULL THEN n_first END AS n_first,
       CASE WHEN left_out.name IS NULL THEN n_jni_calls END AS n_jni_calls,
       CASE WHEN left_out.name IS NULL THEN n_initialisers END AS n_initialisers,
       CASE WHEN left_out.name IS NULL THEN n_loads END AS n_loads,
       CASE WHEN left_out.name IS NULL THEN n_others END AS n_others,
       'calls by classes that were left out, such as ' || left_out.name
           || ', cannot be told from those of the VM; record again with all classes counted'
           AS reason
FROM total
CROSS JOIN left_out
