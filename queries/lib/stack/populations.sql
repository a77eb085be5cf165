/**
 * @description The calls of stack.calls(), once for each population that they belong to.
 * @column      population  text            all, potentially_recursive, truly_recursive or callee_on_stack
 * @column      rank        integer         the population's place in this order, from 1
 * @column      n_frames    integer  frame  frames on the stack, the caller's included
 * @column      n_slots     integer  slot   slots of these frames
 * @column      n_calls     integer  call   calls
 */
CREATE MACRO stack.populations() AS TABLE
    SELECT UNNEST([
               {'population': 'all', 'rank': 1, 'n_calls': n_calls},
               {'population': 'potentially_recursive', 'rank': 2,
                'n_calls': CASE WHEN is_potentially_recursive THEN n_calls ELSE 0 END},
               {'population': 'truly_recursive', 'rank': 3,
                'n_calls': CASE WHEN is_truly_recursive THEN n_calls ELSE 0 END},
               {'population': 'callee_on_stack', 'rank': 4,
                'n_calls': CASE WHEN is_on_stack THEN n_calls ELSE 0 END}
           ], max_depth := 2),
           n_frames,
           n_slots
    FROM stack.calls()
