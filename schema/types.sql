/**
 * @types        the closed sets of words that columns of the tables hold
 */

-- Every opcode of the class file format, by its number (JVMS 6.5): nop is 0, jsr_w 201.
CREATE TYPE opcode AS ENUM (
    'nop', 'aconst_null', 'iconst_m1', 'iconst_0', 'iconst_1', 'iconst_2', 'iconst_3', 'iconst_4',
    'iconst_5', 'lconst_0', 'lconst_1', 'fconst_0', 'fconst_1', 'fconst_2', 'dconst_0', 'dconst_1',
    'bipush', 'sipush', 'ldc', 'ldc_w', 'ldc2_w', 'iload', 'lload', 'fload', 'dload', 'aload',
    'iload_0', 'iload_1', 'iload_2', 'iload_3', 'lload_0', 'lload_1', 'lload_2', 'lload_3',
    'fload_0', 'fload_1', 'fload_2', 'fload_3', 'dload_0', 'dload_1', 'dload_2', 'dload_3',
    'aload_0', 'aload_1', 'aload_2', 'aload_3', 'iaload', 'laload', 'faload', 'daload', 'aaload',
    'baload', 'caload', 'saload', 'istore', 'lstore', 'fstore', 'dstore', 'astore', 'istore_0',
    'istore_1', 'istore_2', 'istore_3', 'lstore_0', 'lstore_1', 'lstore_2', 'lstore_3', 'fstore_0',
    'fstore_1', 'fstore_2', 'fstore_3', 'dstore_0', 'dstore_1', 'dstore_2', 'dstore_3', 'astore_0',
    'astore_1', 'astore_2', 'astore_3', 'iastore', 'lastore', 'fastore', 'dastore', 'aastore',
    'bastore', 'castore', 'sastore', 'pop', 'pop2', 'dup', 'dup_x1', 'dup_x2', 'dup2', 'dup2_x1',
    'dup2_x2', 'swap', 'iadd', 'ladd', 'fadd', 'dadd', 'isub', 'lsub', 'fsub', 'dsub', 'imul',
    'lmul', 'fmul', 'dmul', 'idiv', 'ldiv', 'fdiv', 'ddiv', 'irem', 'lrem', 'frem', 'drem', 'ineg',
    'lneg', 'fneg', 'dneg', 'ishl', 'lshl', 'ishr', 'lshr', 'iushr', 'lushr', 'iand', 'land',
    'ior', 'lor', 'ixor', 'lxor', 'iinc', 'i2l', 'i2f', 'i2d', 'l2i', 'l2f', 'l2d', 'f2i', 'f2l',
    'f2d', 'd2i', 'd2l', 'd2f', 'i2b', 'i2c', 'i2s', 'lcmp', 'fcmpl', 'fcmpg', 'dcmpl', 'dcmpg',
    'ifeq', 'ifne', 'iflt', 'ifge', 'ifgt', 'ifle', 'if_icmpeq', 'if_icmpne', 'if_icmplt',
    'if_icmpge', 'if_icmpgt', 'if_icmple', 'if_acmpeq', 'if_acmpne', 'goto', 'jsr', 'ret',
    'tableswitch', 'lookupswitch', 'ireturn', 'lreturn', 'freturn', 'dreturn', 'areturn', 'return',
    'getstatic', 'putstatic', 'getfield', 'putfield', 'invokevirtual', 'invokespecial',
    'invokestatic', 'invokeinterface', 'invokedynamic', 'new', 'newarray', 'anewarray',
    'arraylength', 'athrow', 'checkcast', 'instanceof', 'monitorenter', 'monitorexit', 'wide',
    'multianewarray', 'ifnull', 'ifnonnull', 'goto_w', 'jsr_w'
);

-- How a method's executions were counted, from most to least.
-- full: calls and every basic block; sites: calls and the call sites in it, no blocks;
-- calls: calls only; leaf: at the call sites that reach it (native, or replaced by the VM);
-- none: not counted, because it was excluded.
CREATE TYPE coverage AS ENUM ('full', 'sites', 'calls', 'leaf', 'none');

CREATE TYPE thread_kind AS ENUM ('platform', 'virtual');

-- What a call for a hash code reached. overridden: a hashCode that is not Object's; identity:
-- System.identityHashCode; default: the hashCode of Object.
CREATE TYPE hash_kind AS ENUM ('overridden', 'identity', 'default');

-- What was called when a thread passed from bytecode to native code, or back by JNI.
-- native_method: a native method; call, call_static, call_nonvirtual: a Java method by JNI's
-- functions Call…Method, CallStatic…Method, CallNonvirtual…Method; new_object: a constructor, by
-- NewObject…; java_method: a Java method, by any of these or by the VM for native code, with
-- --probes native-spa, which does not tell them apart.
CREATE TYPE native_kind AS ENUM (
    'call', 'call_nonvirtual', 'call_static', 'java_method', 'native_method', 'new_object'
);

-- Why a native method is not followed. continuation: it switches the stack of a virtual thread;
-- foreign: compiled code calls functions for java.lang.foreign, and no native method; no_room:
-- there was no memory to follow it; recorder: the recording itself calls it; replaced: compilers
-- put code of their own in place of its calls (@IntrinsicCandidate); startup: while the VM starts,
-- whichever thread is first calls it.
CREATE TYPE unfollowed_reason AS ENUM (
    'continuation', 'foreign', 'no_room', 'recorder', 'replaced', 'startup'
);
