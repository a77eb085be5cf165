/**
 * @description Every method with its name for display.
 * @column      method_id   integer  method
 * @column      class_id    integer  its class
 * @column      class_name  text     the class as Java writes it
 * @column      loader      text     boot, platform, app, or the name of another loader
 * @column      method      text     the method with class and parameters; loaders do not show
 */
CREATE MACRO names.methods() AS TABLE
    SELECT m.method_id,
           m.class_id,
           names.dotted(c.name) AS class_name,
           c.loader,
           names.method(c.name, m.name, m.descriptor) AS method
    FROM run.method AS m
    JOIN run.class AS c ON c.class_id = m.class_id
