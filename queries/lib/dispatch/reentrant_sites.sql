/**
 * @description The dynamically dispatched call sites that may call the method they stand in: some
 *              class that was loaded, is not abstract and is a subtype of the class named by the
 *              site has that method selected for it (JVMS 5.4.6). An override below it hides the
 *              method of a class; any declaration in a class, and that of a subinterface, hide an
 *              interface's. A site that resolves to a private method calls that one.
 * @column      call_site_id  integer  call site
 */
CREATE MACRO dispatch.reentrant_sites() AS TABLE
    WITH candidate AS (
        FROM dispatch._reentrant_candidates()
    ),
    supertype AS (
        FROM hierarchy.supertypes()
    ),
    method AS (
        SELECT m.method_id,
               m.class_id,
               m.name,
               m.descriptor,
               m.access_flags,
               c.is_interface,
               {'name': c.name, 'loader': c.loader} AS owner
        FROM run.method AS m
        JOIN run.class AS c ON c.class_id = m.class_id
    ),
    receiver AS (
        SELECT site.owner_id, site.resolved_flags, resolved.owner AS resolved_owner, m.*,
               r.class_id AS receiver_id
        FROM (SELECT DISTINCT owner_id, method_id, resolved_id, resolved_flags FROM candidate)
            AS site
        JOIN method AS m ON m.method_id = site.method_id
        LEFT JOIN method AS resolved ON resolved.method_id = site.resolved_id
        JOIN supertype AS r ON r.ancestor_id = m.class_id
        JOIN supertype AS o ON o.class_id = r.class_id AND o.ancestor_id = site.owner_id
        JOIN run.class AS c ON c.class_id = r.class_id
        WHERE (c.access_flags & 1536) = 0  -- neither an interface nor abstract
          AND (COALESCE(site.resolved_flags, 0) & 2) = 0  -- not private
          AND (
              m.method_id = site.resolved_id
              OR dispatch._can_override(
                  m.access_flags, m.owner, site.resolved_flags, resolved.owner)
          )
    ),
    hidden AS (
        SELECT DISTINCT receiver.owner_id, receiver.method_id, receiver.receiver_id
        FROM receiver
        JOIN supertype AS up ON up.class_id = receiver.receiver_id
        JOIN method AS other
            ON other.class_id = up.ancestor_id
            AND other.name = receiver.name
            AND other.descriptor = receiver.descriptor
            AND other.method_id <> receiver.method_id
        LEFT JOIN supertype AS below
            ON below.class_id = other.class_id AND below.ancestor_id = receiver.class_id
        WHERE dispatch._can_override(
                  other.access_flags, other.owner,
                  receiver.resolved_flags, receiver.resolved_owner)
          AND CASE WHEN receiver.is_interface
                   THEN NOT other.is_interface OR below.class_id IS NOT NULL
                   ELSE NOT other.is_interface AND below.class_id IS NOT NULL
              END
    ),
    selected AS (
        SELECT DISTINCT receiver.owner_id, receiver.method_id
        FROM receiver
        ANTI JOIN hidden USING (owner_id, method_id, receiver_id)
    )
    SELECT DISTINCT candidate.call_site_id
    FROM candidate
    LEFT JOIN selected
        ON selected.owner_id = candidate.owner_id AND selected.method_id = candidate.method_id
    WHERE selected.method_id IS NOT NULL
       OR (candidate.resolved_id = candidate.method_id AND (candidate.resolved_flags & 2) <> 0)
