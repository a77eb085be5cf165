/**
 * @table        study_method
 * @description  One row per method with static probes that was loaded before methods were selected.
 * @order        method_id
 */
CREATE TABLE study_method (
    method_id    INTEGER PRIMARY KEY,  -- number in the study, from 0
    class_name   VARCHAR NOT NULL,     -- class, in the form of the VM
    name         VARCHAR NOT NULL,     -- name
    descriptor   VARCHAR NOT NULL,     -- descriptor
    n_calls      BIGINT NOT NULL,      -- outermost invocations that ended in the selection window
    is_eligible  BOOLEAN NOT NULL      -- whether they were enough for the method to be observed
);
