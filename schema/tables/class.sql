/**
 * @table        class
 * @description  The classes that the VM loaded, executed or not, in the form in which they were
 *               loaded. A hidden class is named after its host, a slash and a hash of its content,
 *               without addresses; ~2, ~3 and so on follow if these are equal.
 * @recorded     always
 * @order        name, loader
 * @element      class
 * @within       classes 1
 * @named_by     name, loader
 */
CREATE TABLE class (
    class_id       INTEGER PRIMARY KEY,  -- dense key
    name           VARCHAR NOT NULL,     -- name in JVM form, such as java/lang/String
    loader         VARCHAR NOT NULL,     -- defining loader: boot, platform, app, or a name with an ordinal
    module         VARCHAR,              -- module; null: unnamed module
    super_id       INTEGER REFERENCES class (class_id),  -- superclass; null: none, or never loaded
    interface_ids  INTEGER[] NOT NULL /* class */,  -- direct superinterfaces, in the order of the class file
    access_flags   INTEGER NOT NULL,     -- access_flags of the class file (JVMS 4.1)
    major_version  INTEGER NOT NULL,     -- major version of the class file; 61 is Java 17
    source_file    VARCHAR,              -- SourceFile attribute; null: none
    size_bytes     INTEGER NOT NULL,     -- size of the class file [byte]
    is_interface   BOOLEAN NOT NULL,     -- whether it is an interface
    is_hidden      BOOLEAN NOT NULL      -- whether Lookup.defineHiddenClass defined it
);
