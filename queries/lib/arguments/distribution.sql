/**
 * @description All calls, binned by the callee's number of declared parameters, and within a bin
 *              by how many of these are of a kind: six rows a bin, 5 standing for 5 or more.
 * @param       kind  text  integer, floating or reference
 * @column      n_parameters  integer        declared parameters of the callee
 * @column      n_of_kind     integer        of these of the kind, from 0 to 5
 * @column      n_calls       integer  call  calls
 * @column      n_bin_calls   integer  call  calls of the whole bin
 */
CREATE MACRO arguments.distribution(kind) AS TABLE
    WITH called AS (
        SELECT m.n_parameters,
               LEAST(
                   CASE kind
                       WHEN 'integer' THEN m.n_integer_parameters
                       WHEN 'floating' THEN m.n_floating_parameters
                       WHEN 'reference' THEN m.n_reference_parameters
                   END,
                   5
               ) AS n_of_kind,
               SUM(call.n_calls) AS n_calls
        FROM call_edge AS call
        JOIN run.method AS m ON m.method_id = call.method_id
        GROUP BY 1, 2
    ),
    bin AS (
        SELECT n_parameters, SUM(n_calls)::BIGINT AS n_bin_calls
        FROM called
        GROUP BY n_parameters
        HAVING SUM(n_calls) > 0
    )
    SELECT bin.n_parameters,
           entry.n_of_kind,
           COALESCE(called.n_calls, 0)::BIGINT AS n_calls,
           bin.n_bin_calls
    FROM bin
    CROSS JOIN range(6) AS entry(n_of_kind)
    LEFT JOIN called
        ON called.n_parameters = bin.n_parameters AND called.n_of_kind = entry.n_of_kind
