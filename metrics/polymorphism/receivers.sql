/**
 * @id           polymorphism.receivers
 * @name         Receiver polymorphism of call sites
 * @description  For each number of distinct receiver classes: the dynamically dispatched call sites
 *               (invokevirtual, invokeinterface) with that number, and the calls made through them.
 *               A site counts if it called at least once. All arrays are one receiver class. Calls
 *               that are only counted at their site (method.coverage leaf: native methods of the
 *               class library, methods that the VM replaces) have no receiver and are left out, so
 *               a site that makes such calls, too, has fewer receiver classes here than it met.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       n_receivers       integer             distinct receiver classes of a call site
 * @column       n_call_sites      integer  call_site  call sites with that many receiver classes
 * @column       call_sites_share  number   1          share of all dynamically dispatched sites
 * @column       n_calls           integer  call       calls made through these sites
 * @column       calls_share       number   1          share of all dynamically dispatched calls
 * @sums         n_call_sites n_calls
 * @shares       call_sites_share calls_share
 * @plot         bar n_receivers calls_share
 * @better       none
 * @requires     context, receiver, unfolded
 * @import       stats
 * @source       METRICS polymorphism.receivers; receivers of folded calls are not kept by call site
 * @tags         polymorphism dispatch paper starj
 */
WITH site AS (
    SELECT node.call_site_id,
           COUNT(DISTINCT COALESCE(receiver.class_id, -1)) AS n_receivers,  -- null: arrays
           SUM(receiver.n_calls)::BIGINT AS n_calls
    FROM receiver
    JOIN run.context AS node ON node.context_id = receiver.context_id
    GROUP BY node.call_site_id
)
SELECT n_receivers,
       COUNT(*) AS n_call_sites,
       stats.share(COUNT(*), SUM(COUNT(*)) OVER ()) AS call_sites_share,
       SUM(n_calls)::BIGINT AS n_calls,
       stats.share(SUM(n_calls), SUM(SUM(n_calls)) OVER ()) AS calls_share
FROM site
GROUP BY n_receivers
ORDER BY n_receivers
