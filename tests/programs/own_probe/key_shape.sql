/**
 * @table        key_shape
 * @description  What was counted under keys of every shape.
 * @order        context_id, number (null last), class_id (null last)
 * @within       context
 */
CREATE TABLE key_shape (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node
    number      BIGINT,  -- a number; null: none
    class_id    INTEGER REFERENCES class (class_id),  -- a class; null: an array, or none
    n_events    BIGINT NOT NULL  -- how often [event]
);
