/**
 * @description The contexts of a subtree, its root included, as far as they are in the scope.
 * @param       root  integer  the root's context_id
 * @column      context_id  integer  context; the other columns are those of context
 */
CREATE MACRO cct.subtree(root) AS TABLE
    SELECT c.*
    FROM context AS c
    JOIN run.context AS r ON r.context_id = root
    WHERE c.context_id BETWEEN r.context_id AND r.context_id + r.size - 1
