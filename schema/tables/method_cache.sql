/**
 * @table        method_cache
 * @description  Hits and misses of the method cache that was simulated during the recording, one
 *               cache per thread. A call looks up the called method, a return the method that
 *               continues, and an exception the method that catches it. Methods that are counted at
 *               their call sites (native methods, and methods that the VM replaces) look up nothing.
 *               A return to a native method looks up the nearest method above it that has code, and
 *               a return to the root looks up nothing. Contexts without a lookup have no row.
 * @recorded     --method-cache
 * @order        context_id
 * @element      methodCache
 * @within       context 4
 * @folded       what a cache does at folded calls is not kept by call site
 */
CREATE TABLE method_cache (
    context_id       INTEGER PRIMARY KEY REFERENCES context (context_id),  -- node
    n_call_hits      BIGINT NOT NULL,  -- calls of the method when it was in the cache [call]
    n_call_misses    BIGINT NOT NULL,  -- calls of the method that had to load it [call]
    n_return_hits    BIGINT NOT NULL,  -- returns from it to a method in the cache [call]
    n_return_misses  BIGINT NOT NULL,  -- returns from it to a method that had to be loaded [call]
    n_catch_hits     BIGINT NOT NULL,  -- exceptions caught in it when it was in the cache [exception]
    n_catch_misses   BIGINT NOT NULL   -- exceptions caught in it that had to load it [exception]
);
