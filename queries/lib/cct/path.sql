/**
 * @description The contexts from the root of a tree down to a context, both included, in or out
 *              of the scope.
 * @param       node  integer  the context_id of the last of them
 * @column      context_id  integer  context; the other columns are those of context
 */
CREATE MACRO cct.path(node) AS TABLE
    SELECT a.*
    FROM run.context AS a
    WHERE node BETWEEN a.context_id AND a.context_id + a.size - 1
