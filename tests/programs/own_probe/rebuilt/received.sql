/**
 * @table        received
 * @description  What the built-in probe receivers records, by the call site of the caller.
 * @order        context_id, call_site_id, class_id (null last)
 * @within       context
 */
CREATE TABLE received (
    context_id    INTEGER NOT NULL REFERENCES context (context_id),      -- node of the caller
    call_site_id  INTEGER NOT NULL REFERENCES call_site (call_site_id),  -- call site
    class_id      INTEGER REFERENCES class (class_id),                   -- class of the receiver; null: an array
    n_calls       BIGINT NOT NULL                                        -- calls [call]
);
