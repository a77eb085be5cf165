/**
 * @description The rows of features.allocations, and how many of their objects are boxed primitives:
 *              those of the eight classes as java.lang.Integer. Methods of these classes and their
 *              caches box for others: the callers are the methods above them.
 * @column      n_boxed  integer  object  boxed primitives; the other columns are those of features.allocations
 */
CREATE MACRO features.boxed() AS TABLE
    WITH boxing_method AS (
        SELECT m.method_id
        FROM run.method AS m
        JOIN run.class AS c ON c.class_id = m.class_id
        WHERE regexp_replace(c.name, '\$\w+Cache$', '')
              IN (SELECT class_name FROM boxing.wrappers())
    ),
    called_by_boxing AS (
        SELECT node.context_id,
               CASE WHEN next.method_id IS NULL THEN top.context_id ELSE top.parent_id END
                   AS caller_id
        FROM run.context AS node
        JOIN run.context AS above ON above.context_id = node.parent_id
        JOIN boxing_method AS first ON first.method_id = above.method_id
        JOIN run.context AS top ON top.context_id = above.parent_id
        LEFT JOIN boxing_method AS next ON next.method_id = top.method_id
    ),
    methods AS MATERIALIZED (
        SELECT * FROM features._methods()
    ),
    made AS MATERIALIZED (
        SELECT * FROM features.allocations()
    ),
    callers AS (
        SELECT called.context_id,
               caller.*,
               second.method AS second_caller,
               second.package AS second_caller_package
        FROM called_by_boxing AS called
        LEFT JOIN run.context AS node ON node.context_id = called.caller_id
        LEFT JOIN run.context AS above ON above.context_id = node.parent_id
        LEFT JOIN methods AS caller ON caller.method_id = node.method_id
        LEFT JOIN methods AS second ON second.method_id = above.method_id
    )
    SELECT made.*,
           CASE WHEN type IN (SELECT class_name FROM boxing.wrappers()) THEN n_objects ELSE 0 END
               AS n_boxed
    FROM made
    WHERE made.context_id NOT IN (SELECT context_id FROM callers)
    UNION ALL
    SELECT made.* REPLACE (
               callers.method AS caller,
               callers.package AS caller_package,
               callers.language AS caller_language,
               callers.calls_pct AS caller_calls_pct,
               callers.fields_pct AS caller_fields_pct,
               callers.arrays_pct AS caller_arrays_pct,
               callers.arithmetic_pct AS caller_arithmetic_pct,
               callers.branches_pct AS caller_branches_pct,
               callers.second_caller AS second_caller,
               callers.second_caller_package AS second_caller_package
           ),
           CASE WHEN type IN (SELECT class_name FROM boxing.wrappers()) THEN n_objects ELSE 0 END
               AS n_boxed
    FROM made
    JOIN callers ON callers.context_id = made.context_id
