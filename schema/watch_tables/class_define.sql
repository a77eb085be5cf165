/**
 * @table        class_define
 * @description  One row per class that was defined.
 * @source       the event stream
 * @events       jdk.ClassDefine
 * @settings     stackTrace true
 * @fields       at_ns startTime, thread_id eventThread, stack_id stack:stackTrace, class_name
 *               definedClass.name, defining_loader definingClassLoader.type.name
 * @binned       by thread_id, stack_id, class_name, defining_loader
 */
CREATE TABLE class_define (
    at_ns            BIGINT NOT NULL,                              -- when it was, since 1970 [ns]
    thread_id        INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that did it; null: no thread of the VM
    stack_id         INTEGER,                                      -- stack, as in `stack_frame`; null: the stream has no stack
    class_name       VARCHAR NOT NULL,                             -- class in JVM form
    defining_loader  VARCHAR                                       -- class of the loader that defined it; null: the boot loader
);
