/**
 * @id           polymorphism.inline_caches
 * @name         Inline caches of several entries
 * @description  The best case for inline caches of 1, 2, 4, … entries, up to the size that covers
 *               every dynamically dispatched call site (invokevirtual, invokeinterface): the sites
 *               whose receiver classes all fit, and the calls that hit if each cache holds the most
 *               frequent classes of its site from the start. Misses while a cache fills depend on
 *               the order of calls; polymorphism.cache_misses has them for one entry. All arrays
 *               are one class. Calls that are only counted at their site (method.coverage leaf:
 *               native methods of the class library, methods that the VM replaces) have no receiver
 *               and are left out, so a site that makes such calls, too, has fewer receiver classes
 *               here than it met.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       n_entries         integer             entries of each site's cache
 * @column       n_covered_sites   integer  call_site  sites whose receiver classes all fit
 * @column       call_sites_share  number   1          share of all dynamically dispatched sites
 * @column       n_hits            integer  call       calls on the most frequent classes of their sites
 * @column       hit_rate          number   1          share of all dynamically dispatched calls
 * @shares       call_sites_share hit_rate
 * @levels       n_covered_sites n_hits
 * @plot         line n_entries hit_rate
 * @better       none
 * @requires     context, receiver
 * @import       stats
 * @source       Hölzle et al. 1991 (polymorphic inline caches)
 * @tags         polymorphism dispatch
 */
WITH received AS (
    SELECT node.call_site_id, SUM(receiver.n_calls)::BIGINT AS n_calls
    FROM receiver
    JOIN run.context AS node ON node.context_id = receiver.context_id
    GROUP BY node.call_site_id, COALESCE(receiver.class_id, -1)  -- null: arrays
),
site AS (
    SELECT COUNT(*) AS n_receivers,
           SUM(n_calls)::BIGINT AS n_calls,
           LIST(n_calls ORDER BY n_calls DESC) AS by_receiver
    FROM received
    GROUP BY call_site_id
),
size AS (
    SELECT 1::BIGINT << exponent AS n_entries
    FROM (
        SELECT UNNEST(
            range(length(bin(stats.doubling_bin((SELECT MAX(n_receivers) FROM site)))))
        ) AS exponent
    )
)
SELECT n_entries,
       COUNT(*) FILTER (WHERE n_receivers <= n_entries) AS n_covered_sites,
       stats.share(COUNT(*) FILTER (WHERE n_receivers <= n_entries), COUNT(*)) AS call_sites_share,
       SUM(list_sum(by_receiver[:n_entries]))::BIGINT AS n_hits,
       stats.share(SUM(list_sum(by_receiver[:n_entries])), SUM(n_calls)) AS hit_rate
FROM size
CROSS JOIN site
GROUP BY n_entries
ORDER BY n_entries
