/**
 * @id           recursion.tail_calls
 * @name         Tail calls
 * @description  Calls in tail position, among all calls by invoke instructions and among directly
 *               recursive calls, whose callee is their caller. A call is in tail position if the
 *               instruction after its invoke is a return and its method is not synchronized. Two
 *               cases are not distinguished: a call that jumps to a return is left out, and a tail
 *               call inside a try block is included.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_calls              integer  call  calls by invoke instructions
 * @column       n_tail_calls         integer  call  calls in tail position
 * @column       tail_share           number   1     tail calls as a share of n_calls
 * @column       n_recursive_calls    integer  call  calls of a method by itself
 * @column       n_recursive_tail     integer  call  directly recursive calls in tail position
 * @column       recursive_tail_share number   1     share of the directly recursive calls
 * @sums         n_calls n_tail_calls n_recursive_calls n_recursive_tail
 * @shares       tail_share recursive_tail_share
 * @better       none
 * @requires     context, call_site, method, basic_block, instruction, back_edge
 * @import       stats
 * @source       Sarimbekov et al. 2013, section 2.2.3: recursion; Schinz and Odersky 2001 for tail calls on the JVM
 * @tags         recursion calls
 */
WITH called AS (
    SELECT call.call_site_id, call.method_id, SUM(call.n_calls)::BIGINT AS n_calls
    FROM call_edge AS call
    GROUP BY call.call_site_id, call.method_id
),
-- Keys are in the order of the code, and no method ends with an invoke.
before_return AS (
    SELECT block.method_id, invoke."offset"
    FROM run.instruction AS invoke
    JOIN run.instruction AS following ON following.instruction_id = invoke.instruction_id + 1
    JOIN run.basic_block AS block ON block.basic_block_id = invoke.basic_block_id
    WHERE starts_with(invoke.opcode, 'invoke')
      AND (following.opcode = 'return' OR ends_with(following.opcode, 'return'))
),
counted AS (
    SELECT called.n_calls,
           site.caller_id = called.method_id AS is_recursive,
           before_return.method_id IS NOT NULL AND caller.access_flags & 32 = 0 AS is_tail
    FROM called
    JOIN run.call_site AS site ON site.call_site_id = called.call_site_id
    JOIN run.method AS caller ON caller.method_id = site.caller_id
    LEFT JOIN before_return
        ON before_return.method_id = site.caller_id AND before_return."offset" = site."offset"
    WHERE site.opcode IS NOT NULL
),
total AS (
    SELECT COALESCE(SUM(n_calls), 0)::BIGINT AS n_calls,
           COALESCE(SUM(n_calls) FILTER (WHERE is_tail), 0)::BIGINT AS n_tail_calls,
           COALESCE(SUM(n_calls) FILTER (WHERE is_recursive), 0)::BIGINT AS n_recursive_calls,
           COALESCE(SUM(n_calls) FILTER (WHERE is_recursive AND is_tail), 0)::BIGINT
               AS n_recursive_tail
    FROM counted
)
SELECT n_calls,
       n_tail_calls,
       stats.share(n_tail_calls, n_calls) AS tail_share,
       n_recursive_calls,
       n_recursive_tail,
       stats.share(n_recursive_tail, n_recursive_calls) AS recursive_tail_share
FROM total
