/**
 * @id           native.foreign_calls
 * @name         Calls by java.lang.foreign
 * @description  Calls of functions by java.lang.foreign (downcalls), critical ones too, and calls of
 *               Java methods by native code through stubs that it made (upcalls), from JDK 22 on.
 *               Neither passes a native method or a function of JNI, but the class library makes a
 *               class for each type of function, and the calling context tree has its calls. A
 *               downcall that ends with an exception before it reaches its function is not counted.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_downcalls  integer  call  calls of functions
 * @column       n_upcalls    integer  call  calls of Java methods by functions
 * @sums         n_downcalls n_upcalls
 * @better       none
 * @requires     context, call_site, method, class, unfolded
 * @source       METRICS native code; JEP 454
 * @tags         native calls
 */
WITH stub AS (
    SELECT m.method_id, class.name
    FROM run.method AS m
    JOIN run.class ON class.class_id = m.class_id
    WHERE class.loader = 'boot' AND class.name LIKE 'jdk/internal/foreign/abi/%'
      AND m.name IN ('invoke', 'invokeInterpBindings')
), reached AS (
    SELECT site.call_site_id
    FROM run.call_site AS site
    JOIN stub ON stub.method_id = site.caller_id
    WHERE site.owner = 'java/lang/invoke/MethodHandle'
      AND (regexp_matches(stub.name, '/DowncallStub/') AND site.name = 'invokeExact'
           OR regexp_matches(stub.name, '/DowncallLinker$') AND site.name = 'invokeWithArguments')
), entered AS (
    SELECT method_id FROM stub WHERE regexp_matches(name, '/Upcall(Stub/|Linker$)')
), called AS (
    SELECT COALESCE(SUM(n_calls) FILTER (WHERE call_site_id IN (FROM reached)), 0) AS n_downcalls,
           COALESCE(SUM(n_calls) FILTER (WHERE method_id IN (FROM entered)), 0) AS n_upcalls,
           EXISTS (
               FROM run.class
               WHERE loader = 'boot' AND name = 'jdk/internal/foreign/abi/ProgrammableInvoker'
           ) AS is_old
    FROM context
)
SELECT CASE WHEN NOT is_old THEN n_downcalls::BIGINT END AS n_downcalls,
       CASE WHEN NOT is_old THEN n_upcalls::BIGINT END AS n_upcalls,
       CASE WHEN is_old THEN 'jdk.incubator.foreign is not followed: use JDK 22 or later' END
           AS reason
FROM called
