/**
 * @description The rows of features.allocations, and how many of their objects are boxed primitives:
 *              those of the eight classes as java.lang.Integer.
 * @column      n_boxed  integer  object  boxed primitives; the other columns are those of features.allocations
 */
CREATE MACRO features.boxed() AS TABLE
    SELECT made.*,
           CASE WHEN type IN (SELECT class_name FROM boxing.wrappers()) THEN n_objects ELSE 0 END
               AS n_boxed
    FROM features.allocations() AS made
