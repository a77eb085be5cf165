/**
 * @id           stack.populations
 * @name         Recursive calls and their stack heights
 * @description  How many calls belong to each population of stack.height, and the mean and greatest
 *               stack height at these calls. The populations: all calls; potentially recursive
 *               calls, which are dispatched dynamically (invokevirtual, invokeinterface) in a
 *               method that is among their possible targets, by the hierarchy of the loaded
 *               classes; truly recursive calls, whose callee is their caller, however dispatched;
 *               and calls whose callee is anywhere on the stack.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       population   text            all, or one of the populations described
 * @column       n_calls      integer  call   calls of the population
 * @column       share        number   1      share of all calls
 * @column       mean_frames  number   frame  mean height in frames
 * @column       max_frames   integer  frame  greatest height in frames
 * @column       mean_slots   number   slot   mean height in slots
 * @column       max_slots    integer  slot   greatest height in slots
 * @shares       share
 * @levels       n_calls mean_frames max_frames mean_slots max_slots
 * @overview     150 share[callee_on_stack] calls of a method that is on the stack
 * @overview     160 mean_frames[all] frames on the stack at a call, on average
 * @better       none
 * @requires     context, method, class, call_site, unfolded
 * @import       stack
 * @import       stats
 * @source       METRICS stack.height; Sarimbekov et al. 2013, Table 1 and section 2.2.3
 * @tags         stack recursion calls paper
 */
WITH calls AS (
    SELECT population,
           SUM(n_calls)::BIGINT AS n_calls,
           SUM(n_calls::HUGEINT * n_frames) AS frames,
           SUM(n_calls::HUGEINT * n_slots) AS slots,
           MAX(n_frames) FILTER (WHERE n_calls > 0) AS max_frames,
           MAX(n_slots) FILTER (WHERE n_calls > 0) AS max_slots
    FROM stack.populations()
    GROUP BY population
),
population(population, rank) AS (
    VALUES ('all', 1), ('potentially_recursive', 2), ('truly_recursive', 3), ('callee_on_stack', 4)
)
SELECT population.population,
       COALESCE(calls.n_calls, 0) AS n_calls,
       stats.share(calls.n_calls, FIRST_VALUE(calls.n_calls) OVER (ORDER BY rank)) AS share,
       stats.share(calls.frames, calls.n_calls) AS mean_frames,
       calls.max_frames,
       stats.share(calls.slots, calls.n_calls) AS mean_slots,
       calls.max_slots
FROM population
LEFT JOIN calls ON calls.population = population.population
ORDER BY rank
