/**
 * @table        thrown
 * @description  How often each context ended with an exception, by the class of the exception.
 * @order        context_id, class_id
 * @within       context
 */
CREATE TABLE thrown (
    context_id    INTEGER NOT NULL REFERENCES context (context_id),  -- context that ended
    class_id      INTEGER NOT NULL REFERENCES class (class_id),      -- class of the exception
    n_exceptions  BIGINT NOT NULL                                    -- exceptions [exception]
);
