/**
 * @table        file_write
 * @description  One row per time that the program wrote to a file, with `--io`.
 * @source       the event stream
 * @asked        io
 * @events       jdk.FileWrite
 * @settings     threshold 0 ns, stackTrace true
 * @fields       start_ns startTime, duration_ns duration, thread_id eventThread, stack_id
 *               stack:stackTrace, size_bytes bytesWritten, path path
 * @binned       by thread_id, stack_id, path; sum duration_ns, size_bytes
 */
CREATE TABLE file_write (
    start_ns     BIGINT NOT NULL,                              -- when it began, since 1970 [ns]
    duration_ns  BIGINT NOT NULL,                              -- how long it took [ns]
    thread_id    INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that did it; null: no thread of the VM
    stack_id     INTEGER,                                      -- stack, as in `stack_frame`; null: the stream has no stack
    size_bytes   BIGINT NOT NULL,                              -- bytes that were written [byte]
    path         VARCHAR                                       -- path of the file, as the program has it; null: the stream does not say
);
