/**
 * @table        context_native
 * @description  The native methods that each context called: calls that reached a function, as in
 *               native_method. The context is that of the native method itself; where the calling
 *               context tree has none, as for natives that override a method or are called by
 *               reflection, it is the context that called. Calls of the VM's first moments are at
 *               the root of their thread.
 * @recorded     --probes native
 * @order        context_id, method_id (null last), library (null last)
 * @element      nativeCalls
 * @within       context 10
 * @fact         'calls of the native method ' || COALESCE(method.name || method.descriptor, 'that is not known') || COALESCE(' in ' || library, '')
 */
CREATE TABLE context_native (
    context_id    INTEGER NOT NULL REFERENCES context (context_id),  -- node of the native method, or of its caller
    method_id     INTEGER REFERENCES method (method_id),  -- native method; null: not known, as in native_method
    library       VARCHAR,           -- library, as in native_method; null: not known
    n_calls       BIGINT NOT NULL CHECK (n_calls >= 1),  -- calls, at least 1 [call]
    n_exceptions  BIGINT NOT NULL,   -- calls that ended with an exception [call]
    n_jni_calls   BIGINT NOT NULL    -- calls by JNI of Java methods and constructors that its function made [call]
);
