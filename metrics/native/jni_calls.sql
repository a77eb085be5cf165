/**
 * @id           native.jni_calls
 * @name         Calls of Java methods by JNI
 * @description  Calls of Java methods and constructors that native code made by the functions of
 *               JNI: Call…Method, CallStatic…Method, CallNonvirtual…Method and NewObject…. Calls
 *               that the VM itself makes are not among them. With --probes native-spa, calls are
 *               those of Java methods by native code or by the VM for it, without their groups.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_calls        integer  call  calls by JNI
 * @column       n_virtual      integer  call  by Call…Method
 * @column       n_static       integer  call  by CallStatic…Method
 * @column       n_nonvirtual   integer  call  by CallNonvirtual…Method
 * @column       n_new_objects  integer  call  by NewObject…
 * @sums         n_calls n_virtual n_static n_nonvirtual n_new_objects
 * @better       none
 * @requires     native_transition
 * @source       METRICS native code; Binder et al. 2006, Table II
 * @tags         native calls paper
 */
WITH called AS (
    SELECT COALESCE(SUM(n_transitions) FILTER (WHERE kind <> 'native_method'), 0) AS n_calls,
           COALESCE(SUM(n_transitions) FILTER (WHERE kind = 'call'), 0) AS n_virtual,
           COALESCE(SUM(n_transitions) FILTER (WHERE kind = 'call_static'), 0) AS n_static,
           COALESCE(SUM(n_transitions) FILTER (WHERE kind = 'call_nonvirtual'), 0) AS n_nonvirtual,
           COALESCE(SUM(n_transitions) FILTER (WHERE kind = 'new_object'), 0) AS n_new_objects,
           COUNT(*) FILTER (WHERE kind = 'java_method') = 0 AS has_groups
    FROM native_transition
)
SELECT n_calls::BIGINT AS n_calls,
       CASE WHEN has_groups THEN n_virtual::BIGINT END AS n_virtual,
       CASE WHEN has_groups THEN n_static::BIGINT END AS n_static,
       CASE WHEN has_groups THEN n_nonvirtual::BIGINT END AS n_nonvirtual,
       CASE WHEN has_groups THEN n_new_objects::BIGINT END AS n_new_objects
FROM called
