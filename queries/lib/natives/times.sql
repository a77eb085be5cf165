/**
 * @description The processor time of the functions of native methods in each context of the scope,
 *              by itself. Measured, so it differs from run to run.
 * @column      context_id  integer      context of the native method, or of its caller
 * @column      native_ns   integer  ns  processor time
 */
CREATE MACRO natives.times() AS TABLE
    SELECT context_id, SUM(self_ns)::BIGINT AS native_ns
    FROM context_native_time
    GROUP BY context_id
