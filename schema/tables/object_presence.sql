/**
 * @table        object_presence
 * @description  When objects were born and died that each context allocated, by ticks of the clock
 *               of object_lifetime. A tick ends when so many bytes have been allocated; it has the
 *               objects that were allocated since the tick before it, and those that died since,
 *               until the next byte was allocated. So the objects born up to a tick without those
 *               that died are the ones that could still be reached when it ended. Ticks are the
 *               shortest power of two, at least 1 KiB, of which the recording has at most 512;
 *               a context has no row for a tick in which none of its objects was born or died.
 *               Sizes that are not known, as of Class objects, are 0, as in the clock.
 * @recorded     --probes lifetimes
 * @order        context_id, clock_bytes
 * @element      presence
 * @within       context 13
 * @fact         'objects by ' || clock_bytes || ' bytes'
 */
CREATE TABLE object_presence (
    context_id   INTEGER NOT NULL REFERENCES context (context_id),  -- node that allocated
    clock_bytes  BIGINT NOT NULL CHECK (clock_bytes >= 1),          -- end of the tick, a multiple of tick_bytes [byte]
    tick_bytes   BIGINT NOT NULL CHECK (tick_bytes >= 1),           -- length of the tick, in all rows of a run the same [byte]
    n_born       BIGINT NOT NULL,  -- objects that were allocated in the tick [object]
    born_bytes   BIGINT NOT NULL,  -- their size [byte]
    n_died       BIGINT NOT NULL,  -- objects that could not be reached any more from the tick on [object]
    died_bytes   BIGINT NOT NULL   -- their size [byte]
);
