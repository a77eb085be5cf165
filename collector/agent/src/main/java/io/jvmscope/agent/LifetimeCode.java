package io.jvmscope.agent;

import static jdk.internal.perf.LifetimeLayout.FRAME_HEAD;
import static org.objectweb.asm.Opcodes.AASTORE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DSTORE;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.INSTANCEOF;
import static org.objectweb.asm.Opcodes.INVOKEDYNAMIC;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.JSR;
import static org.objectweb.asm.Opcodes.LDC;
import static org.objectweb.asm.Opcodes.LSTORE;
import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.MULTIANEWARRAY;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.NEWARRAY;
import static org.objectweb.asm.Opcodes.POP2;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.PUTSTATIC;
import static org.objectweb.asm.Opcodes.RETURN;

import io.jvmscope.classfile.AllocationSite;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Site;
import io.jvmscope.classfile.MethodPlan.SiteKind;
import io.jvmscope.probe.Lifetimes;
import io.jvmscope.probe.Probe;
import io.jvmscope.probe.RuntimeMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Has one method tell of the objects that it makes, the references that it stores, and what its
 * local variables refer to. A variable refers to an object until it is overwritten, the frame ends,
 * or ways join of which one has not set it; whether or not it is read again.
 */
final class LifetimeCode implements OperandStack.Time {
  private static final String REFERENCE = "java/lang/ref/Reference";

  /** The superclass of what the JDK generates to make objects that it reads (17). */
  private static final String SERIALISATION =
      "jdk/internal/reflect/SerializationConstructorAccessorImpl";

  /** Of a frame. */
  private static final int MOST_BYTES = 0xFFFF;

  /** In the place of a site: what it makes is as if the VM had made it. */
  private static final int NO_SITE = -1;

  /** Methods of Unsafe that write a reference, by what stands in for them. */
  private static final Map<String, RuntimeMethod> UNSAFE =
      Map.of(
          "putReference", Lifetimes.PUT,
          "getAndSetReference", Lifetimes.SWAP,
          "compareAndSetReference", Lifetimes.REPLACE,
          "weakCompareAndSetReference", Lifetimes.REPLACE,
          "compareAndExchangeReference", Lifetimes.EXCHANGE);

  private final ClassFile file;
  private final MethodNode method;
  private final MethodPlan plan;
  private final AbstractInsnNode[] instructions;
  private final Calls calls;
  private final CountingLocals locals;
  private final FieldKeys keys;
  private final Constructor constructor;
  private final ConstructorCalls constructed;
  private final boolean isConstructor;
  private final int[] words; // of each local variable the word of the frame, or 0
  private final BitSet[] joins; // by instruction; null: no ways join there
  private final OperandStack stack;
  private final OperandRoots operands;
  private final int firstOperand; // word
  private final int waiting; // the first word of those that wait
  private final int last;

  LifetimeCode(
      ClassFile file,
      MethodNode method,
      MethodPlan plan,
      AbstractInsnNode[] instructions,
      Calls calls,
      CountingLocals locals,
      FieldKeys keys,
      Constructor constructor) {
    this.file = file;
    this.method = method;
    this.plan = plan;
    this.instructions = instructions;
    this.calls = calls;
    this.locals = locals;
    this.keys = keys;
    this.isConstructor = method.name.equals("<init>");
    this.constructor = constructor;
    this.constructed =
        new ConstructorCalls(
            instructions, file.superName() != null && file.superName().equals(SERIALISATION));
    this.words = new int[method.maxLocals];
    int count = assignWords();
    Ways ways = new Ways(method);
    SetVariables variables = new SetVariables(ways, parameters());
    this.joins = findJoins(variables);
    boolean[] isFollowed = new boolean[words.length];
    for (int k = 0; k < words.length; k++) {
      isFollowed[k] = words[k] != 0;
    }
    this.stack = new OperandStack(ways, instructions, isConstructor, isFollowed, variables, this);
    this.firstOperand = FRAME_HEAD + 4 * count;
    this.operands = new OperandRoots(stack, calls, locals, firstOperand);
    this.waiting = firstOperand + 4 * stack.positions().cardinality();
    this.last = waiting + 4 * constructed.mostWaiting;
    if (last + 4 > MOST_BYTES) {
      throw new IllegalStateException("it has too many variables to follow");
    }
  }

  /** Is there a probe that follows references? */
  static boolean isWanted(Probe[] probes) {
    for (Probe probe : probes) {
      if (probe.followsReferences()) {
        return true;
      }
    }
    return false;
  }

  /** Gives a word to each variable that may refer to an object; how many there are. */
  private int assignWords() {
    boolean[] refers = new boolean[words.length];
    int local = 0;
    if ((method.access & ACC_STATIC) == 0) {
      refers[local++] = true;
    }
    for (Type type : Type.getArgumentTypes(method.desc)) {
      refers[local] = isReference(type.getDescriptor()) && !takesReferent();
      local += type.getSize();
    }
    for (AbstractInsnNode i : instructions) {
      if (i.getOpcode() == JSR) {
        throw new IllegalStateException("its variables cannot be followed");
      }
      if (i.getOpcode() == ASTORE) {
        refers[((VarInsnNode) i).var] = true;
      }
    }
    int count = 0;
    for (int k = 0; k < refers.length; k++) {
      words[k] = refers[k] ? FRAME_HEAD + 4 * count++ : 0;
    }
    return count;
  }

  /** A finalizable object is registered before it is born, from within the constructor. */
  private boolean takesReferent() {
    return file.name().startsWith("java/lang/ref/") && file.name().contains("Fina")
        || isConstructor && file.name().equals(REFERENCE);
  }

  private static boolean isReference(String descriptor) {
    return descriptor.startsWith("L") || descriptor.startsWith("[");
  }

  private void call(InsnList code, RuntimeMethod target) {
    code.add(calls.call(target));
  }

  // ---- the frame

  /** At the method's entry, behind the prologue. */
  void enter(InsnList code) {
    code.add(locals.loadThread());
    code.add(locals.loadNode());
    code.add(Push.of(last + 4 | (last - FRAME_HEAD) / 4 << 16));
    call(code, Lifetimes.ENTER);
    code.add(locals.storeFrame());
    int local = 0;
    if (isConstructor) {
      code.add(locals.loadFrame());
      call(code, Lifetimes.RECEIVE);
      local++;
    } else if ((method.access & ACC_STATIC) == 0) {
      hold(code, local++);
    }
    for (Type type : Type.getArgumentTypes(method.desc)) {
      if (isReference(type.getDescriptor()) && words[local] != 0) {
        hold(code, local);
      }
      local += type.getSize();
    }
  }

  private void hold(InsnList code, int local) {
    code.add(new VarInsnNode(ALOAD, local));
    code.add(locals.loadFrame());
    code.add(Push.of(words[local]));
    call(code, Lifetimes.HOLD);
  }

  /** Behind a store; an object that is not initialised may not be shown, and waits in the frame. */
  private void keep(InsnList code, int k, int local) {
    int[] values = stack.before(k);
    if (values != null && stack.isFresh(values[values.length - 1])) {
      drop(code, local);
    } else {
      hold(code, local);
    }
  }

  private void drop(InsnList code, int local) {
    if (words[local] != 0) {
      code.add(locals.loadFrame());
      code.add(Push.of(words[local]));
      call(code, Lifetimes.DROP);
    }
  }

  void insert(boolean[] handles) {
    for (int k = 0; k < instructions.length; k++) {
      AbstractInsnNode i = instructions[k];
      InsnList before = new InsnList();
      InsnList after = new InsnList();
      int opcode = i.getOpcode();
      if (handles[k]) { // the frames that the exception ended were gone before it came here
        before.add(locals.loadThread());
        before.add(locals.loadFrame());
        before.add(Push.of(firstOperand));
        call(before, Lifetimes.CAUGHT);
        operands.caught(before, k);
      }
      endScopes(before, k);
      if (opcode >= IRETURN && opcode <= RETURN) {
        leave(before, opcode);
      } else if (opcode == ASTORE) {
        keep(after, k, ((VarInsnNode) i).var);
      } else if (opcode >= ISTORE && opcode < ASTORE) {
        drop(after, ((VarInsnNode) i).var);
        if (opcode == LSTORE || opcode == DSTORE) {
          drop(after, ((VarInsnNode) i).var + 1);
        }
      } else if (opcode == AASTORE) {
        storeElement(before);
      } else if (i instanceof FieldInsnNode field && isReference(field.desc)) {
        store(before, k, field);
      } else {
        make(before, after, k);
      }
      operands.insert(before, after, k, i, passes(k, true));
      method.instructions.insertBefore(i, before);
      method.instructions.insert(i, after);
    }
  }

  /** The parameters that refer to objects. */
  private BitSet parameters() {
    BitSet parameters = new BitSet();
    int local = 0;
    if ((method.access & ACC_STATIC) == 0) {
      parameters.set(local++);
    }
    for (Type type : Type.getArgumentTypes(method.desc)) {
      parameters.set(local, isReference(type.getDescriptor()));
      local += type.getSize();
    }
    return parameters;
  }

  /** Where ways join, variables that only some of them have set are none any more. */
  private BitSet[] findJoins(SetVariables variables) {
    BitSet[] found = new BitSet[instructions.length];
    AbstractInsnNode[] nodes = method.instructions.toArray();
    int next = 0; // the instruction at or behind a node
    for (int k = 0; k < nodes.length && next < found.length; k++) {
      BitSet unsure = variables.unsure(k);
      if (!unsure.isEmpty() && found[next] == null) {
        found[next] = unsure;
      } else if (!unsure.isEmpty()) {
        found[next].or(unsure);
      }
      next += nodes[k] == instructions[next] ? 1 : 0;
    }
    return found;
  }

  /**
   * May objects be allocated while an instruction is executed? Another thread may do so while this
   * one waits for a monitor. Classes that are met for the first time are initialised, and outside
   * the JDK loaded by Java code.
   */
  @Override
  public boolean passes(int k, boolean hasOperands) {
    AbstractInsnNode i = instructions[k];
    if (i instanceof MethodInsnNode call) {
      if (call.owner.equals("java/lang/invoke/MethodHandle")) {
        return true; // frames of the VM's own between the call and its target keep the operands
      }
      Site site = plan.siteAt(k);
      boolean isNative =
          site != null && (site.kind() == SiteKind.NATIVE || site.kind() == SiteKind.LEAF);
      return !hasOperands || isNative;
    }
    return switch (i.getOpcode()) {
      case GETSTATIC, PUTSTATIC -> !((FieldInsnNode) i).owner.equals(file.name());
      case INVOKEDYNAMIC -> true;
      case MONITORENTER, MULTIANEWARRAY, NEW, NEWARRAY, ANEWARRAY -> !hasOperands;
      case CHECKCAST, INSTANCEOF, LDC -> calls == Calls.THROUGH_OBJECT && !isConstant(i);
      default -> false;
    };
  }

  private static boolean isConstant(AbstractInsnNode i) {
    return i instanceof LdcInsnNode constant
        && (constant.cst instanceof Number || constant.cst instanceof String);
  }

  private void endScopes(InsnList before, int k) {
    BitSet unsure = joins[k];
    for (int at = unsure == null ? -1 : unsure.nextSetBit(0); at >= 0; ) {
      drop(before, at);
      at = unsure.nextSetBit(at + 1);
    }
  }

  private void leave(InsnList before, int opcode) {
    if (opcode == ARETURN && file.name().equals("java/lang/invoke/MethodHandleNatives")) {
      before.add(new InsnNode(DUP));
      call(before, Lifetimes.KEPT);
    }
    before.add(locals.loadThread());
    before.add(locals.loadFrame());
    call(before, Lifetimes.LEAVE);
  }

  // ---- references

  private void storeElement(InsnList before) {
    before.add(locals.storeReference());
    before.add(new InsnNode(DUP2));
    before.add(locals.loadReference());
    before.add(locals.loadNode());
    call(before, Lifetimes.ELEMENT);
    before.add(locals.loadReference());
    before.add(new InsnNode(ACONST_NULL)); // what a variable refers to is not collected
    before.add(locals.storeReference());
  }

  private void store(InsnList before, int k, FieldInsnNode field) {
    if (field.getOpcode() == PUTSTATIC) {
      before.add(new InsnNode(DUP));
      before.add(new FieldInsnNode(GETSTATIC, field.owner, field.name, field.desc));
      before.add(locals.loadNode());
      call(before, Lifetimes.STATIC);
    } else if (field.getOpcode() == PUTFIELD && !constructor.isEarly(k)) {
      before.add(new InsnNode(DUP2));
      tellStored(before, field);
    }
  }

  /** A native has the collector's barriers, and no bytecode stores the null. */
  private static boolean isClear(MethodInsnNode call) {
    return call.owner.equals(REFERENCE) && call.name.equals("clear0");
  }

  private void tellStored(InsnList code, FieldInsnNode field) {
    tellStored(code, field.owner, field.name, field.desc);
  }

  /** Takes the object and what is stored in it. */
  private void tellStored(InsnList code, String owner, String name, String descriptor) {
    int key = keys.anyKey(owner, name, descriptor);
    if (key == FieldKeys.NONE) {
      code.add(new InsnNode(POP2)); // the class names a field that is not there
      return;
    }
    boolean isReferent = name.equals("referent") && owner.equals(REFERENCE);
    code.add(locals.loadNode());
    code.add(Push.of(key));
    call(code, isReferent ? Lifetimes.REFERENT : Lifetimes.STORED);
  }

  /** What was stored before the object was initialised is told now. */
  private void settle(InsnList after) {
    List<String> seen = new ArrayList<>();
    for (int k = 0; k < instructions.length; k++) {
      if (constructor.isEarly(k)) {
        FieldInsnNode field = (FieldInsnNode) instructions[k];
        if (isReference(field.desc) && !seen.contains(field.name)) {
          seen.add(field.name);
          after.add(new VarInsnNode(ALOAD, 0));
          after.add(new InsnNode(DUP));
          after.add(new FieldInsnNode(GETFIELD, field.owner, field.name, field.desc));
          tellStored(after, field);
        }
      }
    }
  }

  // ---- objects

  private void make(InsnList before, InsnList after, int k) {
    AbstractInsnNode i = instructions[k];
    int opcode = i.getOpcode();
    if (ConstructorCalls.isConstructor(i)) {
      construct(before, after, k);
    } else if (i instanceof MethodInsnNode call && isClear(call)) {
      before.add(new InsnNode(DUP));
      before.add(new InsnNode(ACONST_NULL));
      tellStored(before, REFERENCE, "referent", "Ljava/lang/Object;");
    }
    int number = plan.allocationNumber(k);
    if (number >= 0) {
      makeAt(before, after, k, number);
    } else if (opcode == NEWARRAY || opcode == ANEWARRAY || opcode == MULTIANEWARRAY) {
      tellMade(after, NO_SITE); // the method is too large for its sites to be counted
      call(after, Lifetimes.OBJECT);
    }
  }

  private void makeAt(InsnList before, InsnList after, int k, int number) {
    int opcode = instructions[k].getOpcode();
    AllocationSite site = plan.allocations().get(number);
    if (opcode == NEW) {
      if (constructed.depth(k) >= 0) {
        after.add(locals.loadNode());
        after.add(locals.loadFrame());
        after.add(Push.of(number));
        after.add(Push.of(waiting + 4 * constructed.depth(k)));
        call(after, Lifetimes.NEW);
      }
    } else if (opcode == NEWARRAY || opcode == ANEWARRAY) {
      tellMade(after, number);
      after.add(Push.of(Lifetimes.elementsShift(site)));
      call(after, Lifetimes.ARRAY);
    } else if (!(instructions[k] instanceof MethodInsnNode call) || !call.name.equals("clone")) {
      tellMade(after, number);
      call(after, Lifetimes.OBJECT);
    } else {
      before.add(new InsnNode(DUP));
      after.add(locals.loadNode());
      after.add(Push.of(number));
      call(after, Lifetimes.CLONE);
    }
  }

  private void tellMade(InsnList after, int number) {
    after.add(new InsnNode(DUP));
    after.add(locals.loadNode());
    after.add(Push.of(number));
  }

  private void construct(InsnList before, InsnList after, int k) {
    int depth = constructed.depth(k);
    BitSet variables = stack.before(k) == null ? new BitSet() : stack.initialised(k);
    if (depth >= 0) {
      before.add(locals.loadFrame());
      before.add(Push.of(waiting + 4 * depth));
      before.add(Push.of(last));
      call(before, Lifetimes.CONSTRUCTING);
      if (isOnStack(k) || !variables.isEmpty()) {
        after.add(
            isOnStack(k) ? new InsnNode(DUP) : new VarInsnNode(ALOAD, variables.nextSetBit(0)));
        after.add(locals.loadFrame());
        after.add(Push.of(last));
        call(after, Lifetimes.CONSTRUCTED);
      }
    } else if (isConstructor && constructor.calls().get(k)) {
      before.add(locals.loadFrame());
      before.add(Push.of(last));
      call(before, Lifetimes.DELEGATING);
      after.add(new VarInsnNode(ALOAD, 0));
      after.add(locals.loadNode());
      after.add(locals.loadFrame());
      after.add(Push.of(last));
      call(after, Lifetimes.BORN);
      settle(after);
      variables.clear(0); // it is held since it was received
    }
    for (int at = variables.nextSetBit(0); at >= 0; at = variables.nextSetBit(at + 1)) {
      hold(after, at);
    }
  }

  /** Has a call of a constructor left what it initialised? */
  private boolean isOnStack(int call) {
    int[] values = stack.before(call) == null ? new int[0] : stack.after(call);
    return values.length > 0 && stack.isMadeBy(values[values.length - 1], call);
  }

  /**
   * Has calls of some methods of the JDK lead to what stands in for them. Comes last: the field
   * probes look for the same calls.
   */
  void replaceCalls() {
    for (AbstractInsnNode i : instructions) {
      if (i instanceof MethodInsnNode call) {
        RuntimeMethod target = substitute(call);
        if (target != null) {
          method.instructions.insertBefore(call, locals.loadNode());
          method.instructions.set(call, calls.call(target));
        }
      }
    }
  }

  private static RuntimeMethod substitute(MethodInsnNode call) {
    if (call.owner.equals("java/lang/System") && call.name.equals("arraycopy")) {
      return Lifetimes.COPY;
    }
    if (call.owner.equals("java/lang/reflect/Array") && call.name.equals("set")) {
      return Lifetimes.SET;
    }
    boolean isUnsafe = call.owner.equals("jdk/internal/misc/Unsafe");
    return isUnsafe ? UNSAFE.get(withoutMode(call.name)) : null;
  }

  private static String withoutMode(String name) {
    for (String mode : Arrays.asList("Volatile", "Release", "Acquire", "Opaque", "Plain")) {
      if (name.endsWith(mode)) {
        return name.substring(0, name.length() - mode.length());
      }
    }
    return name;
  }
}
