/**
 * @description The dynamically dispatched call sites that name a method like the one they stand in,
 *              by name and descriptor, with the class that they name and the method to which that
 *              resolves in it and its superclasses (JVMS 5.4.3.3).
 * @column      call_site_id       integer  call site
 * @column      owner_id           integer  class named by the site, of the caller's loader if that has one
 * @column      method_id          integer  method that holds the site
 * @column      class_id           integer  its class
 * @column      resolved_id        integer  method that the site resolves to; null: one of an interface above
 * @column      resolved_flags     integer  its access_flags; null likewise
 */
CREATE MACRO dispatch._reentrant_candidates() AS TABLE
    WITH site AS (
        SELECT s.call_site_id, s.owner, m.method_id, m.class_id, m.name, m.descriptor, c.loader
        FROM run.call_site AS s
        JOIN run.method AS m
            ON m.method_id = s.caller_id AND m.name = s.name AND m.descriptor = s.descriptor
        JOIN run.class AS c ON c.class_id = m.class_id
        WHERE dispatch.is_dynamic(s.opcode) AND NOT m.is_static
    ),
    owned AS (
        SELECT site.*, o.class_id AS owner_id
        FROM site
        JOIN run.class AS o ON o.name = site.owner
        QUALIFY (o.loader = site.loader)
            = MAX(o.loader = site.loader) OVER (PARTITION BY site.call_site_id)
    ),
    declared AS (
        SELECT owned.owner_id,
               owned.name,
               owned.descriptor,
               ARG_MIN(m.method_id, up.distance) AS resolved_id
        FROM (SELECT DISTINCT owner_id, name, descriptor FROM owned) AS owned
        JOIN hierarchy.superclasses() AS up ON up.class_id = owned.owner_id
        JOIN run.method AS m
            ON m.class_id = up.ancestor_id
            AND m.name = owned.name
            AND m.descriptor = owned.descriptor
        GROUP BY owned.owner_id, owned.name, owned.descriptor
    )
    SELECT owned.call_site_id,
           owned.owner_id,
           owned.method_id,
           owned.class_id,
           declared.resolved_id,
           r.access_flags AS resolved_flags
    FROM owned
    LEFT JOIN declared
        ON declared.owner_id = owned.owner_id
        AND declared.name = owned.name
        AND declared.descriptor = owned.descriptor
    LEFT JOIN run.method AS r ON r.method_id = declared.resolved_id
