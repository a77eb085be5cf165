/**
 * @table        attack
 * @description  What snippets counted that fail.
 * @order        context_id, what
 * @within       context
 */
CREATE TABLE attack (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node
    what        VARCHAR NOT NULL,  -- snippet
    n_events    BIGINT NOT NULL    -- how often [event]
);
