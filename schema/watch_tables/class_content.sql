/**
 * @table        class_content
 * @description  What is known of the content of classes, to compare it with a recorded run. A class
 *               may have several rows: of each loader whose class got probes, and of a path.
 * @source       the agent of probes, and the class path or module path
 */
CREATE TABLE class_content (
    class_name       VARCHAR NOT NULL,  -- class in JVM form
    known_by         VARCHAR NOT NULL,  -- `the VM`, which gave the class file as it runs, or `the class path` or `the module path`, whose first file of that name it is
    defining_loader  VARCHAR,           -- class of the loader that defined it; null: the boot loader, or a path
    place            VARCHAR,           -- directory or jar of the path; null: known by the VM
    file_hash        VARCHAR,           -- SHA-256 of the class file; null: known by the VM, which writes it anew, or there is a reason
    code_hash        VARCHAR,           -- SHA-256 of what it says of the code that runs; null: of a path, or there is a reason
    reason           VARCHAR            -- why there is no hash; null: there is one
);
