/**
 * @description Calls of each method of a class, or of the classes of that name, as far as calls are
 *              in the scope: by the context that calls.
 * @param       class_name  text  in JVM form
 * @column      name        text           the called method's name
 * @column      descriptor  text           its descriptor
 * @column      n_calls     integer  call  calls
 */
CREATE MACRO methods.calls(class_name) AS TABLE
    SELECT m.name,
           m.descriptor,
           SUM(call.n_calls)::BIGINT AS n_calls
    FROM call_edge AS call
    JOIN run.method AS m ON m.method_id = call.method_id
    JOIN run.class AS c ON c.class_id = m.class_id
    WHERE c.name = class_name
    GROUP BY m.name, m.descriptor
