/**
 * @description Whether a method of the same name and descriptor overrides the one that a call site
 *              resolved to (JVMS 5.4.5): neither static nor private, and the other is public,
 *              protected, or of the same run-time package.
 * @param       flags           integer  access_flags of the method
 * @param       owner           struct   its class: name and loader
 * @param       resolved_flags  integer  access_flags of the other; null: of an interface, so public
 * @param       resolved_owner  struct   its class: name and loader
 * @returns     boolean
 */
CREATE MACRO dispatch._can_override(flags, owner, resolved_flags, resolved_owner) AS (
    (flags & 10) = 0  -- neither private nor static
    AND (
        COALESCE(resolved_flags & 5, 1) <> 0  -- public or protected
        OR (
            owner.loader = resolved_owner.loader
            AND regexp_extract(owner.name, '^.*/') = regexp_extract(resolved_owner.name, '^.*/')
        )
    )
)
