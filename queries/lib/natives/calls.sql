/**
 * @description How often each context of the scope called native methods that reached a function,
 *              by itself, as table context_native has it.
 * @column      context_id  integer        context of the native method, or of its caller
 * @column      n_calls     integer  call  calls
 */
CREATE MACRO natives.calls() AS TABLE
    SELECT context_id, SUM(n_calls)::BIGINT AS n_calls
    FROM context_native
    GROUP BY context_id
