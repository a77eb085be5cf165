/**
 * @id           hashcodes.types
 * @name         Calls for hash codes, by type
 * @description  For each class of objects and type of arrays whose hash codes were asked for: calls
 *               of each kind of hashcodes.calls, and the objects that received one. Classes of the
 *               same name count together. A scope selects objects by their class, not by who asks:
 *               a String that the application asks is of the JDK, so the scope application leaves
 *               it out.
 * @kind         metric
 * @version      1
 * @grain        class
 * @column       type                  text             class in JVM form, or descriptor of the array
 * @column       n_overridden          integer  call    calls of a hashCode that a class overrides
 * @column       n_identity            integer  call    calls of System.identityHashCode
 * @column       n_default             integer  call    calls of the hashCode of Object
 * @column       n_overridden_objects  integer  object  objects that received calls of the first kind
 * @column       n_identity_objects    integer  object  of the second
 * @column       n_default_objects     integer  object  of the third
 * @sums         n_overridden n_identity n_default n_overridden_objects n_identity_objects
 *               n_default_objects
 * @sort         n_overridden
 * @better       none
 * @requires     object_hash
 * @source       METRICS hashcodes
 * @tags         hashcodes objects
 */
SELECT type,
       COALESCE(SUM(n_calls) FILTER (WHERE kind = 'overridden'), 0)::BIGINT AS n_overridden,
       COALESCE(SUM(n_calls) FILTER (WHERE kind = 'identity'), 0)::BIGINT AS n_identity,
       COALESCE(SUM(n_calls) FILTER (WHERE kind = 'default'), 0)::BIGINT AS n_default,
       COALESCE(SUM(n_objects) FILTER (WHERE kind = 'overridden'), 0)::BIGINT
           AS n_overridden_objects,
       COALESCE(SUM(n_objects) FILTER (WHERE kind = 'identity'), 0)::BIGINT AS n_identity_objects,
       COALESCE(SUM(n_objects) FILTER (WHERE kind = 'default'), 0)::BIGINT AS n_default_objects
FROM object_hash
GROUP BY type
ORDER BY type
