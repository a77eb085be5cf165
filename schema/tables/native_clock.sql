/**
 * @table        native_clock
 * @description  The clock that measured native code: one row. Without a clock, there is no such table.
 * @recorded     --probes native
 * @needs        a --native-clock other than none
 * @order        clock
 * @element      nativeClock
 * @within       classes 16
 * @measured     yes
 */
CREATE TABLE native_clock (
    clock          VARCHAR NOT NULL,  -- timestamp: the processor's time-stamp counter, corrected by the processor time that the system charges a thread; monotonic: the same with the system's monotonic clock; thread: the processor time itself
    resolution_ns  BIGINT NOT NULL,   -- smallest difference that it can show [ns]
    read_ns        BIGINT NOT NULL,   -- what reading it cost at the start of the VM [ns]
    interval_ns    BIGINT NOT NULL    -- what was taken off each measured interval for that [ns]
);
