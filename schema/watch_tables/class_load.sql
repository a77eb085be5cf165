/**
 * @table        class_load
 * @description  One row per time that a class loader was asked by the VM to load a class and did. A
 *               class that its loader defines for another one is loaded by both.
 * @source       the event stream
 * @events       jdk.ClassLoad
 * @settings     threshold 0 ns, stackTrace true
 * @fields       start_ns startTime, duration_ns duration, thread_id eventThread, stack_id
 *               stack:stackTrace, class_name loadedClass.name, defining_loader
 *               definingClassLoader.type.name, initiating_loader initiatingClassLoader.type.name
 * @binned       by thread_id, stack_id, class_name, defining_loader, initiating_loader; sum duration_ns
 */
CREATE TABLE class_load (
    start_ns           BIGINT NOT NULL,                              -- when it began, since 1970 [ns]
    duration_ns        BIGINT NOT NULL,                              -- how long it took [ns]
    thread_id          INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that did it; null: no thread of the VM
    stack_id           INTEGER,                                      -- stack, as in `stack_frame`; null: the stream has no stack
    class_name         VARCHAR NOT NULL,                             -- class in JVM form
    defining_loader    VARCHAR,                                      -- class of the loader that defined it; null: the boot loader, or the stream does not say, as of hidden classes
    initiating_loader  VARCHAR                                       -- class of the loader that was asked; null: the boot loader
);
