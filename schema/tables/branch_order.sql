/**
 * @table        branch_order
 * @description  How often each conditional branch and switch went another way than in its previous
 *               execution, per thread.
 * @recorded     --probes order
 * @order        thread_id, instruction_id
 * @element      branchOrder
 * @within       thread 2
 */
CREATE TABLE branch_order (
    thread_id       INTEGER NOT NULL REFERENCES thread (thread_id),            -- thread
    instruction_id  INTEGER NOT NULL REFERENCES instruction (instruction_id),  -- branch
    n_executions    BIGINT NOT NULL,  -- executions [execution]
    n_changes       BIGINT NOT NULL,  -- executions that went another way than the previous one [execution]
    PRIMARY KEY (thread_id, instruction_id)
);
