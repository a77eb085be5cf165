/**
 * @table        lapse
 * @description  Spans of which events are missing: there was no recording in the VM, or jvmscope was too late.
 * @source       jvmscope
 */
CREATE TABLE lapse (
    start_ns  BIGINT NOT NULL,  -- when the span began, since 1970 [ns]
    end_ns    BIGINT NOT NULL,  -- when it ended [ns]
    reason    VARCHAR NOT NULL  -- why
);
