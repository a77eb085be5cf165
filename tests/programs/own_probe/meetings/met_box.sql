/**
 * @table        met_box
 * @description  Allocations by class.
 * @order        context_id, type
 * @within       context
 */
CREATE TABLE met_box (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node
    type        VARCHAR NOT NULL,  -- class in JVM form
    n_boxes     BIGINT NOT NULL    -- how often [object]
);
