/**
 * @table        unfollowed_native
 * @description  The native methods that were bound to a function and are not followed, and why:
 *               their calls are in no table of native code, and their time is that of bytecode. If
 *               the program uses java.lang.foreign, MethodHandle.linkToNative stands for its
 *               downcalls, although it has no function.
 * @recorded     --probes native
 * @order        method_id
 * @element      unfollowedNative
 * @within       classes 17
 */
CREATE TABLE unfollowed_native (
    method_id  INTEGER PRIMARY KEY REFERENCES method (method_id),  -- native method
    reason     unfollowed_reason NOT NULL  -- why it is not followed
);
