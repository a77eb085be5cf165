/**
 * @table        class_unload
 * @description  One row per class that was unloaded.
 * @source       the event stream
 * @events       jdk.ClassUnload
 * @fields       at_ns startTime, class_name unloadedClass.name, defining_loader
 *               definingClassLoader.type.name
 * @binned       by class_name, defining_loader
 */
CREATE TABLE class_unload (
    at_ns            BIGINT NOT NULL,   -- when it was, since 1970 [ns]
    class_name       VARCHAR NOT NULL,  -- class in JVM form
    defining_loader  VARCHAR            -- class of the loader that had defined it; null: the boot loader
);
