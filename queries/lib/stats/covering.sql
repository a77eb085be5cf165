/**
 * @description How few places cover a share of all their executions: the busiest, until they reach
 *              ceil(share * executions).
 * @param       places  list    a struct for places that ran equally often, with the n_executions of each of them, at least 1, and how many they are, n_places; null: none
 * @param       share   number  fraction of the executions to cover, from 0 to 1, with up to twelve decimals
 * @column      n_places        integer  place      places
 * @column      n_covering      integer  place      the busiest of them, which cover the share
 * @column      covering_share  number   1          n_covering as a share of n_places; null: there are none
 * @column      n_executions    integer  execution  executions of all places
 */
CREATE MACRO stats.covering(places, share) AS TABLE
    WITH alike AS (
        -- The list is named once: DuckDB evaluates a query in its place anew for each time, in any order.
        SELECT place.n_executions AS n_executions, place.n_places AS n_places
        FROM (SELECT UNNEST(places) AS place)
    ),
    ranked AS (
        SELECT n_executions,
               n_places,
               SUM(n_executions * n_places) OVER ()::HUGEINT AS n_all,
               SUM(n_executions * n_places) OVER busiest_first - n_executions * n_places
                   AS covered_before
        FROM alike
        WINDOW busiest_first AS (ORDER BY n_executions DESC ROWS UNBOUNDED PRECEDING)
    ),
    missing AS (
        SELECT n_executions,
               n_places,
               CEIL(share::DECIMAL(18, 12) * n_all)::HUGEINT - covered_before AS n_missing
        FROM ranked
    ),
    counted AS (
        SELECT COALESCE(SUM(n_places), 0)::BIGINT AS n_places,
               COALESCE(
                   SUM(LEAST(n_places, (n_missing + n_executions - 1) // n_executions))
                       FILTER (WHERE n_missing > 0), 0)::BIGINT AS n_covering,
               COALESCE(SUM(n_executions * n_places), 0)::BIGINT AS n_executions
        FROM missing
    )
    SELECT n_places,
           n_covering,
           stats.share(n_covering, n_places) AS covering_share,
           n_executions
    FROM counted
