/**
 * @table        socket_read
 * @description  One row per time that the program read from a socket, with `--io`.
 * @source       the event stream
 * @asked        io
 * @events       jdk.SocketRead
 * @settings     threshold 0 ns, stackTrace true
 * @fields       start_ns startTime, duration_ns duration, thread_id eventThread, stack_id
 *               stack:stackTrace, size_bytes bytesRead, host host, address address, port port
 * @binned       by thread_id, stack_id, host, address, port; sum duration_ns, size_bytes
 */
CREATE TABLE socket_read (
    start_ns     BIGINT NOT NULL,                              -- when it began, since 1970 [ns]
    duration_ns  BIGINT NOT NULL,                              -- how long it took [ns]
    thread_id    INTEGER REFERENCES vm_thread (vm_thread_id),  -- thread that did it; null: no thread of the VM
    stack_id     INTEGER,                                      -- stack, as in `stack_frame`; null: the stream has no stack
    size_bytes   BIGINT NOT NULL,                              -- bytes that were read; 0 at the end [byte]
    host         VARCHAR,                                      -- name of the other side; null: it has none
    address      VARCHAR,                                      -- its address; null: the stream does not say
    port         INTEGER                                       -- its port; null: the stream does not say
);
