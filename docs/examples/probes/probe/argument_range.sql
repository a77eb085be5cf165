/**
 * @table        argument_range
 * @description  How many calls passed an argument of each magnitude.
 * @order        context_id, parameter, magnitude
 * @within       context
 */
CREATE TABLE argument_range (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node of the called method
    parameter   INTEGER NOT NULL,  -- number of the parameter, from 0
    magnitude   INTEGER NOT NULL,  -- bits of its absolute value
    n_passes    BIGINT NOT NULL    -- calls [call]
);
