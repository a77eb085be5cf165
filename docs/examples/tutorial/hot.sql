/**
 * @description  Methods that were called often
 * @param   min_calls integer 100  fewer calls are left out
 * @column  method   text             the method
 * @column  n_calls  integer  call    its executions
 */
SELECT m.method, SUM(t.n_calls)::BIGINT AS n_calls
FROM thread_method AS t
JOIN names.methods() AS m USING (method_id)
WHERE m.loader = 'app'
GROUP BY m.method
HAVING SUM(t.n_calls) >= $min_calls
ORDER BY n_calls DESC
