/**
 * @id           objects.liveness
 * @name         Live objects
 * @description  Objects, and their bytes, that could still be reached while the program allocated:
 *               the most, the average, and at the end. They are looked at whenever a tick of the
 *               recording's clock ends, at most 512 times: see table object_presence. In a scope,
 *               the objects that it allocated, up to the last tick in which one of them was born or
 *               died. Objects whose allocation was not seen are left out.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_objects         integer  object  objects born
 * @column       n_bytes           integer  byte    bytes of these
 * @column       max_live_objects  integer  object  the most objects alive at the end of a tick
 * @column       max_live_bytes    integer  byte    the most bytes alive at the end of a tick
 * @column       max_share         number   1       share of all bytes born that is alive then
 * @column       mean_live_bytes   number   byte    bytes alive at the end of a tick, on average
 * @column       n_alive           integer  object  objects alive when the VM ends
 * @column       alive_bytes       integer  byte    bytes of these
 * @column       tick_bytes        integer  byte    length of a tick
 * @sums         n_objects n_bytes n_alive alive_bytes
 * @shares       max_share
 * @levels       max_live_objects max_live_bytes mean_live_bytes tick_bytes
 * @better       none
 * @requires     object_presence
 * @import       stats
 * @source       Dufour et al. 2003 (*J), liveness; Hertz et al. 2002
 * @tags         objects lifetimes starj dacapo
 */
WITH clock AS (
    SELECT MAX(tick_bytes) AS tick_bytes
    FROM object_presence
), by_tick AS (
    SELECT p.clock_bytes // clock.tick_bytes AS tick,
           clock.tick_bytes,
           SUM(n_born)::BIGINT AS n_born,
           SUM(born_bytes)::BIGINT AS born_bytes,
           SUM(n_born - n_died)::BIGINT AS n_grown,
           SUM(born_bytes - died_bytes)::BIGINT AS grown_bytes
    FROM object_presence AS p
    CROSS JOIN clock
    GROUP BY ALL
), by_growth AS (
    SELECT *,
           MAX(tick) OVER () AS n_ticks,
           SUM(n_grown) OVER upto AS n_live,
           SUM(grown_bytes) OVER upto AS live_bytes
    FROM by_tick
    WINDOW upto AS (ORDER BY tick)
), counted AS (
    SELECT SUM(n_born)::BIGINT AS n_objects,
           SUM(born_bytes)::BIGINT AS n_bytes,
           MAX(n_live)::BIGINT AS max_live_objects,
           MAX(live_bytes)::BIGINT AS max_live_bytes,
           SUM(grown_bytes * (n_ticks - tick + 1)) AS sum_live_bytes,
           MAX(n_ticks) AS n_ticks,
           SUM(n_grown)::BIGINT AS n_alive,
           SUM(grown_bytes)::BIGINT AS alive_bytes,
           MAX(tick_bytes) AS tick_bytes
    FROM by_growth
    HAVING COUNT(*) > 0
)
SELECT n_objects,
       n_bytes,
       max_live_objects,
       max_live_bytes,
       stats.share(max_live_bytes, n_bytes) AS max_share,
       stats.share(sum_live_bytes, n_ticks) AS mean_live_bytes,
       n_alive,
       alive_bytes,
       tick_bytes
FROM counted
