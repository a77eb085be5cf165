/**
 * @table        method_cache
 * @description  What a processor's method cache did that was simulated while the program ran, one
 *               cache a thread: at each call it is asked for the called method, at each return for
 *               the method that goes on, at each exception for the method that catches it. Methods
 *               counted at their call sites (natives, and what the VM replaces) ask for nothing; a
 *               return to a native asks for the nearest method above that has code, one to the
 *               root for nothing. Only contexts in which the cache was asked.
 * @recorded     --method-cache
 * @order        context_id
 */
CREATE TABLE method_cache (
    context_id       INTEGER PRIMARY KEY REFERENCES context (context_id),  -- node
    n_call_hits      BIGINT NOT NULL,  -- calls of the method that found it in the cache [call]
    n_call_misses    BIGINT NOT NULL,  -- calls of the method that loaded it [call]
    n_return_hits    BIGINT NOT NULL,  -- returns from it that found the method that goes on [call]
    n_return_misses  BIGINT NOT NULL,  -- returns from it that loaded the method that goes on [call]
    n_catch_hits     BIGINT NOT NULL,  -- exceptions caught in it that found it in the cache [exception]
    n_catch_misses   BIGINT NOT NULL   -- exceptions caught in it that loaded it [exception]
);
