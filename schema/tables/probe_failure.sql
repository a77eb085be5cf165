/**
 * @table        probe_failure
 * @description  What snippets of the user's own probe did not count, since they ended with an exception or
 *               named a place that their method does not have.
 * @recorded     --probe DIR
 * @order        snippet, exception
 * @element      probeFailure
 * @within       classes 41
 */
CREATE TABLE probe_failure (
    snippet     VARCHAR NOT NULL,  -- snippet, as CLASS.METHOD; the column that it counted in; or * for unknown ones
    exception   VARCHAR NOT NULL,  -- exception and its message
    n_failures  BIGINT NOT NULL CHECK (n_failures >= 1)  -- how often that happened, at least 1 [execution]
);
