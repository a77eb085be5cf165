/**
 * @table        lapse
 * @description  Spans of which the events may be missing, since jvmscope had no recording in the VM.
 * @source       jvmscope
 */
CREATE TABLE lapse (
    start_ns  BIGINT NOT NULL,  -- when the span began, since 1970 [ns]
    end_ns    BIGINT NOT NULL,  -- when it ended [ns]
    reason    VARCHAR NOT NULL  -- why
);
