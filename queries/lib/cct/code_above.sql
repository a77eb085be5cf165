/**
 * @description The contexts whose caller has no counted code, such as a native method, with the size
 *              of the nearest method above that has: a simulated method cache is asked for it when
 *              they return.
 * @column      context_id  integer        context that returns
 * @column      size_bytes  integer  byte  size of the method above; 0: there is only the root
 */
CREATE MACRO cct.code_above() AS TABLE
    -- The recursion joins the few contexts without code alone: joined with all contexts it would
    -- hold a hash table of them, which takes gigabytes for a large run.
    WITH RECURSIVE uncounted AS MATERIALIZED (
        SELECT context_id, parent_id
        FROM run.context
        WHERE method_id IN (SELECT method_id FROM run.method WHERE coverage <> 'full')
    ),
    called AS MATERIALIZED (
        SELECT context.context_id, uncounted.parent_id
        FROM run.context AS context
        JOIN uncounted ON uncounted.context_id = context.parent_id
    ),
    above AS (
        SELECT context_id, parent_id
        FROM called
        UNION ALL
        SELECT above.context_id, uncounted.parent_id
        FROM above
        JOIN uncounted ON uncounted.context_id = above.parent_id
    ),
    nearest AS MATERIALIZED (
        SELECT above.context_id, above.parent_id
        FROM above
        ANTI JOIN uncounted ON uncounted.context_id = above.parent_id
    )
    SELECT UNNEST(found, max_depth := 2)
    FROM (
        -- As a list: DuckDB expects any number of rows from a recursion, and would hold in memory
        -- whatever is joined with them instead of these few.
        SELECT LIST(
            {'context_id': nearest.context_id, 'size_bytes': COALESCE(method.size_bytes, 0)}
        ) AS found
        FROM nearest
        JOIN run.context AS context ON context.context_id = nearest.parent_id
        LEFT JOIN run.method AS method ON method.method_id = context.method_id
    )
