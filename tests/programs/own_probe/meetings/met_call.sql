/**
 * @table        met_call
 * @description  Calls by their argument.
 * @order        context_id, n
 * @within       context
 */
CREATE TABLE met_call (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node
    n           INTEGER NOT NULL,  -- the argument; -1: returns; -2: calls of a thread
    n_calls     BIGINT NOT NULL    -- how often [call]
);
