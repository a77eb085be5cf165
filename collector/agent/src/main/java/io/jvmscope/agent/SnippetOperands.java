package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.IALOAD;
import static org.objectweb.asm.Opcodes.IASTORE;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.MONITOREXIT;
import static org.objectweb.asm.Opcodes.MULTIANEWARRAY;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.NEWARRAY;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.PUTSTATIC;
import static org.objectweb.asm.Opcodes.SALOAD;
import static org.objectweb.asm.Opcodes.SASTORE;

import java.util.Arrays;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * What an instruction that snippets are inserted at takes and leaves.
 *
 * @param point the name of the API's constant
 * @param receiver null: it has none
 * @param arguments above it on the stack
 * @param result null: none that a snippet may have
 * @param target what the instruction names
 */
record SnippetOperands(String point, Type receiver, Type[] arguments, Type result, String target) {
  private static final Type OBJECT = Type.getObjectType("java/lang/Object");
  private static final Type[] NONE = {};
  private static final String ELEMENTS = "IJFDABCS"; // in the order of the instructions

  /** Those of an instruction; null if there is no point for it. */
  static SnippetOperands of(AbstractInsnNode i) {
    int opcode = i.getOpcode();
    if (i instanceof MethodInsnNode call) {
      Type owner = opcode == INVOKESTATIC ? null : Type.getObjectType(call.owner);
      String target = call.owner + "." + call.name + call.desc;
      return call(owner, call.desc, target);
    } else if (i instanceof InvokeDynamicInsnNode call) {
      return call(null, call.desc, call.name + call.desc);
    } else if (i instanceof FieldInsnNode access) {
      return field(access);
    } else if (opcode >= IALOAD && opcode <= SALOAD) {
      Type read = element(opcode - IALOAD);
      return new SnippetOperands("ARRAY_READ", array(read), types("I"), read, "");
    } else if (opcode >= IASTORE && opcode <= SASTORE) {
      Type written = element(opcode - IASTORE);
      Type[] arguments = {Type.INT_TYPE, written};
      return new SnippetOperands("ARRAY_WRITE", array(written), arguments, null, "");
    } else if (opcode == MONITORENTER || opcode == MONITOREXIT) {
      String point = opcode == MONITORENTER ? "MONITOR_ENTER" : "MONITOR_EXIT";
      return new SnippetOperands(point, OBJECT, NONE, null, "");
    }
    return allocation(i);
  }

  private static SnippetOperands call(Type owner, String descriptor, String target) {
    Type result = Type.getReturnType(descriptor);
    return new SnippetOperands(
        "CALL",
        owner,
        Type.getArgumentTypes(descriptor),
        result.getSort() == Type.VOID ? null : result,
        target);
  }

  private static SnippetOperands field(FieldInsnNode access) {
    int opcode = access.getOpcode();
    boolean isStatic = opcode == GETSTATIC || opcode == PUTSTATIC;
    boolean writes = opcode == PUTFIELD || opcode == PUTSTATIC;
    return new SnippetOperands(
        writes ? "FIELD_WRITE" : "FIELD_READ",
        isStatic ? null : Type.getObjectType(access.owner),
        writes ? types(access.desc) : NONE,
        writes ? null : Type.getType(access.desc),
        access.owner + "." + access.name);
  }

  private static SnippetOperands allocation(AbstractInsnNode i) {
    String type;
    switch (i.getOpcode()) {
      case NEW: // what it leaves must not be touched before its constructor has run
        return new SnippetOperands("ALLOCATION", null, NONE, null, ((TypeInsnNode) i).desc);
      case NEWARRAY:
        type = "[" + "ZCFDBSIJ".charAt(((IntInsnNode) i).operand - 4);
        return new SnippetOperands("ALLOCATION", null, types("I"), Type.getType(type), type);
      case ANEWARRAY:
        String element = ((TypeInsnNode) i).desc;
        type = element.startsWith("[") ? "[" + element : "[L" + element + ";";
        return new SnippetOperands("ALLOCATION", null, types("I"), Type.getType(type), type);
      case MULTIANEWARRAY:
        MultiANewArrayInsnNode made = (MultiANewArrayInsnNode) i;
        Type[] lengths = new Type[made.dims];
        Arrays.fill(lengths, Type.INT_TYPE);
        return new SnippetOperands("ALLOCATION", null, lengths, Type.getType(made.desc), made.desc);
      default:
        return null;
    }
  }

  private static Type element(int offset) {
    char letter = ELEMENTS.charAt(offset);
    return letter == 'A' ? OBJECT : Type.getType(String.valueOf(letter));
  }

  /** The array of an access; instructions for bytes are those for booleans, too. */
  private static Type array(Type element) {
    return element == Type.BYTE_TYPE ? OBJECT : Type.getType("[" + element.getDescriptor());
  }

  private static Type[] types(String... descriptors) {
    Type[] types = new Type[descriptors.length];
    for (int k = 0; k < types.length; k++) {
      types[k] = Type.getType(descriptors[k]);
    }
    return types;
  }
}
