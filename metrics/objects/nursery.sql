/**
 * @id           objects.nursery
 * @name         Objects that die young
 * @description  Objects that live no longer than a nursery takes to fill: their lifetime is at most
 *               its size (4 MiB). All others would be copied out of it, or are alive when the VM
 *               ends. Objects whose allocation was not seen are left out.
 * @kind         metric
 * @version      1
 * @grain        run
 * @param        nursery integer 4194304 size of the nursery, in bytes; exact up to eight binary digits and zeros
 * @range        nursery [0, )
 * @column       n_objects    integer  object  objects allocated
 * @column       n_young      integer  object  objects that live no longer than the nursery takes to fill
 * @column       young_share  number   1       share of these
 * @column       n_alive      integer  object  objects that are alive when the VM ends
 * @column       alive_share  number   1       share of these
 * @sums         n_objects n_young n_alive
 * @shares       young_share alive_share
 * @better       none
 * @requires     object_lifetime
 * @import       stats
 * @source       METRICS objects.lifetime; Sarimbekov et al. 2013, Table 1
 * @tags         objects lifetimes paper
 */
WITH counted AS (
    SELECT SUM(n_objects)::BIGINT AS n_objects,
           COALESCE(SUM(n_objects) FILTER (WHERE lifetime_bytes <= $nursery), 0)::BIGINT AS n_young,
           COALESCE(SUM(n_objects) FILTER (WHERE lifetime_bytes IS NULL), 0)::BIGINT AS n_alive
    FROM object_lifetime
    HAVING COUNT(*) > 0
)
SELECT n_objects,
       n_young,
       stats.share(n_young, n_objects) AS young_share,
       n_alive,
       stats.share(n_alive, n_objects) AS alive_share
FROM counted
