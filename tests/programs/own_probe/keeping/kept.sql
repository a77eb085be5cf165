/**
 * @table        kept
 * @description  How many objects were seen in each context.
 * @order        context_id
 * @within       context
 */
CREATE TABLE kept (
    context_id  INTEGER NOT NULL REFERENCES context (context_id),  -- node
    n_kept      BIGINT NOT NULL  -- objects [object]
);
