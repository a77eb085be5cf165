package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.ISUB;
import static org.objectweb.asm.Opcodes.LCMP;
import static org.objectweb.asm.Opcodes.LLOAD;

import io.jvmscope.probe.Probe;
import io.jvmscope.probe.Probe.Swap;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A call of a method of the JDK's {@code Unsafe} that accesses a variable of an object by its
 * offset. Field objects, method and variable handles, atomic updaters, serialisation and {@code
 * sun.misc.Unsafe} all end there. The methods themselves cannot be instrumented: they are native,
 * or the recording calls them.
 */
final class UnsafeCall {
  private static final String UNSAFE = "jdk/internal/misc/Unsafe";
  private static final String VARIABLE = "(Ljava/lang/Object;J";

  /** What a call does to the variable. */
  enum Kind {
    READ,
    WRITE,
    /** Reads, and writes what depends on that. */
    UPDATE,
    /** Reads, writes if that is as expected, and says so. */
    SET,
    /** Reads, writes if that is as expected, and returns what it was. */
    EXCHANGE
  }

  private final MethodInsnNode call;
  private final MethodNode method;
  private final int object;
  private final Type[] arguments;

  UnsafeCall(MethodInsnNode call, MethodNode method, CountingLocals locals) {
    this.call = call;
    this.method = method;
    this.object = locals.scratch();
    this.arguments = Type.getArgumentTypes(call.desc);
    method.maxLocals = locals.withScratch();
  }

  /** What a call does to a variable; null if it accesses none in an object. */
  static Kind kind(MethodInsnNode call) {
    return call.owner.equals(UNSAFE) && call.desc.startsWith(VARIABLE) ? kind(call.name) : null;
  }

  private static Kind kind(String name) {
    if (name.startsWith("compareAndExchange")) {
      return Kind.EXCHANGE;
    }
    if (name.startsWith("compareAndSet") || name.startsWith("weakCompareAndSet")) {
      return Kind.SET;
    }
    if (name.startsWith("getAnd")) {
      return Kind.UPDATE;
    }
    if (name.startsWith("put")) {
      return Kind.WRITE;
    }
    return name.startsWith("get") ? Kind.READ : null;
  }

  /** Asks probes for code before the call, and after it if it writes on a condition. */
  void insert(List<Probe> probes, ProbeCode code) {
    Kind kind = kind(call);
    InsnList before = new InsnList();
    store(before);
    for (Probe probe : probes) {
      if (kind != Kind.WRITE) {
        loadVariable(before);
        probe.atVariable(code.to(before), false);
      }
      if (kind == Kind.WRITE || kind == Kind.UPDATE) {
        loadVariable(before);
        probe.atVariable(code.to(before), true);
      }
    }
    load(before);
    method.instructions.insertBefore(call, before);
    if (kind == Kind.SET || kind == Kind.EXCHANGE) {
      InsnList after = new InsnList();
      for (Probe probe : probes) {
        Swap swap = kind == Kind.SET ? told(after) : compared(after);
        loadVariable(after);
        probe.atSwap(code.to(after), swap);
      }
      method.instructions.insert(call, after);
    }
  }

  /** Takes the arguments off the stack, the last first. */
  private void store(InsnList code) {
    for (int k = arguments.length - 1; k >= 0; k--) {
      code.add(new VarInsnNode(arguments[k].getOpcode(ISTORE), local(k)));
    }
  }

  private void load(InsnList code) {
    for (int k = 0; k < arguments.length; k++) {
      code.add(new VarInsnNode(arguments[k].getOpcode(ILOAD), local(k)));
    }
  }

  private int local(int argument) {
    int local = object;
    for (int k = 0; k < argument; k++) {
      local += arguments[k].getSize();
    }
    return local;
  }

  private void loadVariable(InsnList code) {
    code.add(new VarInsnNode(ALOAD, object));
    code.add(new VarInsnNode(LLOAD, local(1)));
  }

  private static Swap told(InsnList after) {
    after.add(new InsnNode(DUP));
    return Swap.TRUE_IF_DONE;
  }

  /** Compares what the call returned with what it expected, by its bits. */
  private Swap compared(InsnList after) {
    Type type = arguments[2];
    after.add(new InsnNode(type.getSize() == 2 ? DUP2 : DUP));
    addBits(after, type);
    after.add(new VarInsnNode(type.getOpcode(ILOAD), local(2)));
    if (type.getSort() == Type.OBJECT) {
      return Swap.SAME_IF_DONE;
    }
    addBits(after, type);
    after.add(new InsnNode(type.getSize() == 2 ? LCMP : ISUB));
    return Swap.ZERO_IF_DONE;
  }

  private static void addBits(InsnList code, Type type) {
    if (type == Type.FLOAT_TYPE) {
      code.add(Bodies.call("java/lang/Float", "floatToRawIntBits", "(F)I"));
    } else if (type == Type.DOUBLE_TYPE) {
      code.add(Bodies.call("java/lang/Double", "doubleToRawLongBits", "(D)J"));
    }
  }
}
