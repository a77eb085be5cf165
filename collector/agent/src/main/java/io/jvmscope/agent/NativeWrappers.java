package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_BRIDGE;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_NATIVE;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PROTECTED;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_STRICT;
import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LSTORE;

import io.jvmscope.classfile.LeafMethods;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Counts the program's own native methods: each becomes a method that enters a node and calls the
 * native under a prefixed name, which the VM strips when it looks for the function ({@code
 * Instrumentation.setNativeMethodPrefix}). Reflection shows the method as native and the prefixed
 * one not at all ({@code Disguise.visibleMethods}); stack traces show one frame ({@code
 * DisguisedFrames}).
 */
final class NativeWrappers implements ClassEdit {
  /** By these flags together, which no compiler sets, {@code Disguise} knows the method again. */
  private static final int MARK = ACC_BRIDGE | ACC_STRICT;

  private static final int FIRST_WITH_FRAMES = 50;

  /** Known to {@code Disguise} too. */
  static final String PREFIX = Calls.PREFIX;

  private final LeafMethods leaves;
  private final boolean holdsArguments;

  /**
   * Wraps natives.
   *
   * @param leaves those in whose place a native may be selected
   * @param holdsArguments lifetimes are recorded, so the arguments are roots until a native returns
   */
  NativeWrappers(LeafMethods leaves, boolean holdsArguments) {
    this.leaves = leaves;
    this.holdsArguments = holdsArguments;
  }

  @Override
  public void apply(ClassNode tree, int baseId) {
    List<MethodNode> wrapped = new ArrayList<>();
    for (int k = 0; k < tree.methods.size(); k++) {
      MethodNode method = tree.methods.get(k);
      if ((method.access & ACC_NATIVE) != 0) {
        wrapped.add(prefixed(method));
        wrap(tree, method, baseId + k);
      }
    }
    tree.methods.addAll(wrapped);
  }

  private static MethodNode prefixed(MethodNode method) {
    int access =
        method.access & ~(ACC_PUBLIC | ACC_PROTECTED | ACC_SYNCHRONIZED)
            | ACC_PRIVATE
            | ACC_FINAL
            | ACC_SYNTHETIC;
    return new MethodNode(access, PREFIX + method.name, method.desc, null, null);
  }

  private void wrap(ClassNode tree, MethodNode method, int id) {
    method.access = method.access & ~ACC_NATIVE | MARK;
    boolean isStatic = (method.access & ACC_STATIC) != 0;
    InsnList arguments = new InsnList();
    int locals = 0;
    if (!isStatic) {
      arguments.add(new VarInsnNode(ALOAD, locals++));
    }
    for (Type type : Type.getArgumentTypes(method.desc)) {
      arguments.add(new VarInsnNode(type.getOpcode(ILOAD), locals));
      locals += type.getSize();
    }
    Calls calls = Calls.THROUGH_OBJECT;
    InsnList code = method.instructions;
    code.add(calls.currentThread());
    code.add(new InsnNode(DUP));
    code.add(new InsnNode(DUP));
    code.add(calls.getSlot());
    code.add(new InsnNode(DUP2));
    code.add(new VarInsnNode(LSTORE, locals));
    code.add(Push.of(id));
    code.add(calls.call(Calls.Entry.ENTER_NATIVE));
    code.add(calls.setSlot());
    Calls.Entry override = isStatic ? null : OverrideEdits.call(method.name, method.desc);
    if (override != null) { // as Prologue says it
      code.add(new VarInsnNode(ALOAD, 0));
      code.add(calls.call(override));
    }
    NativeFrame frame = holdsArguments ? new NativeFrame(method, locals + 2, calls) : null;
    if (frame != null) {
      frame.enter(code);
    }
    LabelNode start = new LabelNode();
    code.add(start);
    code.add(arguments);
    int invoke = isStatic ? INVOKESTATIC : INVOKESPECIAL;
    code.add(new MethodInsnNode(invoke, tree.name, PREFIX + method.name, method.desc, false));
    if (frame != null) {
      frame.leave(code);
    }
    if (leaves.isStandIn(method.name, method.desc)) {
      code.add(calls.currentThread());
      code.add(new VarInsnNode(LLOAD, locals));
      code.add(calls.call(Calls.Entry.LEAVE));
    }
    code.add(calls.currentThread());
    code.add(new VarInsnNode(LLOAD, locals));
    code.add(calls.setSlot());
    code.add(new InsnNode(Type.getReturnType(method.desc).getOpcode(IRETURN)));
    addHandler(tree, method, start, calls);
    method.maxLocals = locals + (frame == null ? 2 : 4);
    method.maxStack = Math.max(locals + 5, 8);
  }

  /** An error that names the prefixed native shall name the program's. */
  private static void addHandler(ClassNode tree, MethodNode method, LabelNode start, Calls calls) {
    InsnList code = method.instructions;
    LabelNode end = new LabelNode();
    code.add(end);
    if ((tree.version & 0xFFFF) >= FIRST_WITH_FRAMES) {
      List<Object> locals = new ArrayList<>();
      if ((method.access & ACC_STATIC) == 0) {
        locals.add(tree.name);
      }
      for (Type type : Type.getArgumentTypes(method.desc)) {
        locals.add(frameType(type));
      }
      Object[] thrown = {"java/lang/Throwable"};
      code.add(new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), 1, thrown));
    }
    code.add(new InsnNode(DUP));
    code.add(calls.call(Calls.Entry.NAME_UNLINKED));
    code.add(new InsnNode(ATHROW));
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
  }

  private static Object frameType(Type type) {
    return switch (type.getSort()) {
      case Type.LONG -> Opcodes.LONG;
      case Type.DOUBLE -> Opcodes.DOUBLE;
      case Type.FLOAT -> Opcodes.FLOAT;
      case Type.OBJECT, Type.ARRAY -> type.getInternalName();
      default -> Opcodes.INTEGER;
    };
  }
}
