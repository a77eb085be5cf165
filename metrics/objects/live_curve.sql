/**
 * @id           objects.live_curve
 * @name         Live objects by clock
 * @description  Objects born, dead and alive, and their bytes, while the program allocates: for each
 *               part of the clock, which is the shortest power of two of bytes so that there are at
 *               most a number of parts (100), but no shorter than a tick of the recording. Alive is
 *               what could still be reached when the part ended. In a scope, the objects that it
 *               allocated, up to the last part in which one of them was born or died; the clock is
 *               of all. Objects whose allocation was not seen are left out.
 * @kind         table
 * @version      1
 * @grain        bin
 * @param        parts integer 100 most parts of the clock
 * @range        parts [1, )
 * @column       clock_bytes  integer          bytes that the program has allocated at the end of the part
 * @column       n_born       integer  object  objects allocated in the part
 * @column       born_bytes   integer  byte    bytes of these
 * @column       n_died       integer  object  objects that died in the part
 * @column       died_bytes   integer  byte    bytes of these
 * @column       n_live       integer  object  objects alive at the end of the part
 * @column       live_bytes   integer  byte    bytes of these
 * @sums         n_born born_bytes n_died died_bytes
 * @levels       n_live live_bytes
 * @plot         line clock_bytes live_bytes
 * @better       none
 * @requires     object_presence
 * @import       stats
 * @source       Dufour et al. 2003 (*J), liveness; Hertz et al. 2002
 * @tags         objects lifetimes starj
 */
WITH clock AS (
    SELECT GREATEST(
               MAX(tick_bytes),
               stats.doubling_bin((MAX(clock_bytes) + $parts - 1) // $parts)) AS part_bytes,
           MAX(clock_bytes) AS last_bytes
    FROM object_presence
    HAVING COUNT(*) > 0
), part AS (
    SELECT UNNEST(RANGE(part_bytes, last_bytes + part_bytes, part_bytes)) AS clock_bytes
    FROM clock
), counted AS (
    SELECT (p.clock_bytes + part_bytes - 1) // part_bytes * part_bytes AS clock_bytes,
           SUM(n_born) AS n_born,
           SUM(born_bytes) AS born_bytes,
           SUM(n_died) AS n_died,
           SUM(died_bytes) AS died_bytes
    FROM object_presence AS p
    CROSS JOIN clock
    GROUP BY ALL
)
SELECT p.clock_bytes,
       COALESCE(n_born, 0)::BIGINT AS n_born,
       COALESCE(born_bytes, 0)::BIGINT AS born_bytes,
       COALESCE(n_died, 0)::BIGINT AS n_died,
       COALESCE(died_bytes, 0)::BIGINT AS died_bytes,
       COALESCE(SUM(n_born - n_died) OVER upto, 0)::BIGINT AS n_live,
       COALESCE(SUM(born_bytes - died_bytes) OVER upto, 0)::BIGINT AS live_bytes
FROM part AS p
LEFT JOIN counted AS c ON c.clock_bytes = p.clock_bytes
WINDOW upto AS (ORDER BY p.clock_bytes)
ORDER BY p.clock_bytes
