/**
 * @id           native.jni_calls
 * @name         Calls of Java methods by JNI
 * @description  Calls of Java methods and constructors that native code made by the functions of
 *               JNI: Call…Method, CallStatic…Method, CallNonvirtual…Method and NewObject…. Calls
 *               that the VM itself makes are not among them.
 * @kind         metric
 * @version      1
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
SELECT COALESCE(SUM(n_transitions) FILTER (WHERE kind <> 'native_method'), 0)::BIGINT AS n_calls,
       COALESCE(SUM(n_transitions) FILTER (WHERE kind = 'call'), 0)::BIGINT AS n_virtual,
       COALESCE(SUM(n_transitions) FILTER (WHERE kind = 'call_static'), 0)::BIGINT AS n_static,
       COALESCE(SUM(n_transitions) FILTER (WHERE kind = 'call_nonvirtual'), 0)::BIGINT
           AS n_nonvirtual,
       COALESCE(SUM(n_transitions) FILTER (WHERE kind = 'new_object'), 0)::BIGINT AS n_new_objects
FROM native_transition
