/**
 * @table        native_method
 * @description  The native methods that each thread called: calls that reached a function, by
 *               bytecode, reflection or method handles. Natives that compilers replace by code of
 *               their own (@IntrinsicCandidate) are not among them, nor are calls of functions by
 *               java.lang.foreign; the calls of all natives by bytecode are in table context.
 * @recorded     --probes native
 * @order        thread_id, method_id (null last), library (null last)
 * @element      nativeMethod
 * @within       thread 3
 */
CREATE TABLE native_method (
    thread_id     INTEGER NOT NULL REFERENCES thread (thread_id),  -- thread
    method_id     INTEGER REFERENCES method (method_id),  -- method; null: not known, since several classes of its class's name were loaded
    library       VARCHAR,           -- library with its function, by the name that it gives itself, else its file's; null: not known
    n_calls       BIGINT NOT NULL CHECK (n_calls >= 1),  -- calls, at least 1 [call]
    n_exceptions  BIGINT NOT NULL,   -- calls that ended with an exception [call]
    n_jni_calls   BIGINT NOT NULL    -- calls by JNI of Java methods and constructors that its function made [call]
);
