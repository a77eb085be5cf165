/**
 * @table        unseen
 * @description  What a watch run cannot say of this VM.
 * @source       jvmscope
 */
CREATE TABLE unseen (
    subject  VARCHAR NOT NULL,  -- what
    reason   VARCHAR NOT NULL   -- why not
);
