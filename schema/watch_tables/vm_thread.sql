/**
 * @table        vm_thread
 * @description  One row per thread that an event names.
 * @source       the event stream
 */
CREATE TABLE vm_thread (
    vm_thread_id    INTEGER PRIMARY KEY,  -- number in this watch run
    name            VARCHAR,              -- name in Java, else that of the operating system; null: it has none
    java_thread_id  BIGINT,               -- number in Java; null: it is not a thread of Java
    os_thread_id    BIGINT,               -- number in the operating system; null: it has none, as virtual threads
    is_virtual      BOOLEAN               -- whether it is a virtual thread; null: the JDK has no virtual threads, or the stream does not say
);
