/**
 * @table        point_event
 * @description  What snippets at every kind of point were told.
 * @order        context_id, point, detail
 * @within       context
 */
CREATE TABLE point_event (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node
    point       VARCHAR NOT NULL,  -- when and where
    detail      VARCHAR,           -- what it was told; null: nothing
    n_events    BIGINT NOT NULL    -- how often [event]
);
