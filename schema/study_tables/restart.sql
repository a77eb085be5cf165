/**
 * @table        restart
 * @description  One row per launch of the program's VM, steps S1 and S2 of a study.
 * @order        restart_id
 */
CREATE TABLE restart (
    restart_id  INTEGER PRIMARY KEY,  -- number of the launch, from 0
    is_control  BOOLEAN NOT NULL,     -- whether no method was measured dynamically in it
    started_ns  BIGINT NOT NULL,      -- when the VM was launched, CLOCK_MONOTONIC [ns]
    warm_ns     BIGINT NOT NULL       -- when its warm-up was over, CLOCK_MONOTONIC [ns]
);
