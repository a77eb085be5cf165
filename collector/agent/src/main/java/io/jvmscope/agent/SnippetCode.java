package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.F2D;
import static org.objectweb.asm.Opcodes.I2L;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.RETURN;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.Opcodes;
import io.jvmscope.probe.Snippet;
import io.jvmscope.probe.Snippet.Kind;
import io.jvmscope.probe.Snippet.Parameter;
import io.jvmscope.probe.Snippets;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Inserts calls of snippets into one method, closest to the instructions that they are about. What
 * a snippet is told of an instruction's operands is kept in locals behind those of counting; no
 * frame has to know of them, as nothing branches to between.
 */
final class SnippetCode {
  private static final String BODY = "BODY";

  private final ClassFile file;
  private final MethodNode method;
  private final MethodPlan plan;
  private final AbstractInsnNode[] instructions;
  private final Snippets probe;
  private final List<Snippet> covering = new ArrayList<>();
  private final Calls calls;
  private final CountingLocals locals;
  private final Constructor constructor;
  private final boolean isJdk;
  private final int firstLocal;
  private int localsUsed;
  private int stackUsed;

  SnippetCode(
      ClassFile file,
      MethodNode method,
      MethodPlan plan,
      AbstractInsnNode[] instructions,
      Snippets probe,
      Calls calls,
      CountingLocals locals,
      boolean isJdk) {
    this.file = file;
    this.method = method;
    this.plan = plan;
    this.instructions = instructions;
    this.probe = probe;
    this.calls = calls;
    this.locals = locals;
    this.isJdk = isJdk;
    this.constructor = new Constructor(file.name(), method, instructions);
    this.firstLocal = method.maxLocals + locals.size();
    for (Snippet snippet : probe.snippets()) {
      if (snippet.covers(file.name(), method.name, method.desc)) {
        covering.add(snippet);
      }
    }
  }

  /** Locals and operands that the method needs beside those of counting. */
  int locals() {
    return localsUsed;
  }

  int stack() {
    return stackUsed;
  }

  /** What runs at the method's entry, behind its prologue. */
  InsnList entry() {
    InsnList code = new InsnList();
    Place body = new Place(BODY, -1, "");
    boolean isInstance = !Modifier.isStatic(method.access) && !isConstructor();
    body.receiver = isInstance ? Type.getObjectType(file.name()) : null;
    body.receiverLocal = 0;
    body.arguments = Type.getArgumentTypes(method.desc);
    int local = Modifier.isStatic(method.access) ? 0 : 1;
    body.argumentLocals = new int[body.arguments.length];
    for (int k = 0; k < body.arguments.length; k++) {
      body.argumentLocals[k] = local;
      local += body.arguments[k].getSize();
    }
    insert(code, "before", body);
    return code;
  }

  /**
   * Inserts what runs at instructions.
   *
   * @param handles whether an instruction is the first of an exception handler
   */
  void insert(boolean[] handles) {
    if (covering.isEmpty()) {
      return;
    }
    for (int k = 0; k < instructions.length; k++) {
      InsnList before = new InsnList();
      if (handles[k]) {
        atHandler(before, k);
      }
      if (plan.blocks().first(plan.blocks().blockOf(k)) == k) {
        insert(before, "before", new Place("BLOCK", k, ""));
      }
      int opcode = instructions[k].getOpcode();
      if (opcode >= IRETURN && opcode <= RETURN) {
        atReturn(before, k);
      }
      SnippetOperands operands = SnippetOperands.of(instructions[k]);
      if (operands != null) {
        atInstruction(before, k, operands);
      }
      if (before.size() > 0) {
        method.instructions.insertBefore(instructions[k], before);
      }
    }
  }

  /** Inserts what runs first in handlers, where exceptions are on the stack. */
  private void atHandler(InsnList code, int k) {
    Place place = new Place("HANDLER", k, "");
    place.thrown = Type.getObjectType("java/lang/Throwable");
    place.thrownLocal = firstLocal;
    InsnList inserted = new InsnList();
    insert(inserted, "before", place);
    if (inserted.size() > 0) {
      code.add(new InsnNode(DUP));
      code.add(new VarInsnNode(ASTORE, firstLocal));
      code.add(inserted);
      use(firstLocal + 1, 1);
    }
  }

  /** What runs when the method ends with an exception; from a label on to the method's end. */
  void afterThrowing(LabelNode start, boolean hasFrames) {
    Place place = new Place(BODY, -1, "");
    place.thrown = Type.getObjectType("java/lang/Throwable");
    place.thrownLocal = firstLocal;
    InsnList inserted = new InsnList();
    if (isConstructor()) {
      return; // its object may not be initialised, which a frame would have to say
    }
    insert(inserted, "afterthrowing", place);
    if (inserted.size() == 0) {
      return;
    }
    use(firstLocal + 1, 2);
    LabelNode end = new LabelNode();
    method.instructions.add(end);
    if (hasFrames) {
      method.instructions.add(locals.handlerFrame());
    }
    method.instructions.add(new InsnNode(DUP));
    method.instructions.add(new VarInsnNode(ASTORE, firstLocal));
    method.instructions.add(inserted);
    method.instructions.add(new InsnNode(ATHROW));
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
  }

  private boolean isConstructor() {
    return method.name.equals("<init>");
  }

  private void atReturn(InsnList code, int k) {
    Place place = new Place(BODY, -1, "");
    Type result = Type.getReturnType(method.desc);
    place.result = result.getSort() == Type.VOID ? null : result;
    place.resultLocal = firstLocal;
    InsnList inserted = new InsnList();
    insert(inserted, "after", place);
    if (inserted.size() > 0 && place.result != null) {
      keepTop(code, result, firstLocal);
    }
    code.add(inserted);
  }

  private void atInstruction(InsnList before, int k, SnippetOperands operands) {
    Place place = new Place(operands.point(), k, operands.target());
    place.arguments = operands.arguments();
    place.argumentLocals = new int[place.arguments.length];
    place.receiver = mayTouch(k) ? operands.receiver() : null;
    int local = firstLocal;
    place.receiverLocal = local++;
    for (int a = 0; a < place.arguments.length; a++) {
      place.argumentLocals[a] = local;
      local += place.arguments[a].getSize();
    }
    InsnList first = new InsnList();
    insert(first, "before", place);
    place.result = operands.result();
    place.resultLocal = local;
    InsnList then = new InsnList();
    insert(then, "after", place);
    if (first.size() + then.size() == 0) {
      return;
    }
    keep(before, place, local);
    before.add(first);
    InsnList after = new InsnList();
    if (then.size() > 0 && place.result != null) {
      keepTop(after, place.result, local);
    }
    after.add(then);
    method.instructions.insert(instructions[k], after);
  }

  /** May a snippet have what an instruction is applied to? Objects must have been initialised. */
  private boolean mayTouch(int k) {
    if (instructions[k] instanceof MethodInsnNode call && call.name.equals("<init>")) {
      return false;
    }
    return !isConstructor() || constructor.call >= 0 && k > constructor.call;
  }

  /** Moves operands into locals, and back. */
  private void keep(InsnList code, Place place, int end) {
    for (int a = place.arguments.length - 1; a >= 0; a--) {
      code.add(new VarInsnNode(place.arguments[a].getOpcode(ISTORE), place.argumentLocals[a]));
    }
    if (place.receiver != null) {
      code.add(new InsnNode(DUP));
      code.add(new VarInsnNode(ASTORE, place.receiverLocal));
    }
    for (int a = 0; a < place.arguments.length; a++) {
      code.add(new VarInsnNode(place.arguments[a].getOpcode(ILOAD), place.argumentLocals[a]));
    }
    use(end, 1);
  }

  private void keepTop(InsnList code, Type type, int local) {
    code.add(new InsnNode(type.getSize() == 2 ? DUP2 : DUP));
    code.add(new VarInsnNode(type.getOpcode(ISTORE), local));
    use(local + type.getSize(), type.getSize());
  }

  private void use(int endOfLocals, int operands) {
    localsUsed = Math.max(localsUsed, endOfLocals - firstLocal);
    stackUsed = Math.max(stackUsed, operands);
  }

  /** A place, and where there is what snippets are told of it. */
  private static final class Place {
    final String point;
    final int instruction;
    final String target;
    Type receiver;
    int receiverLocal;
    Type[] arguments = {};
    int[] argumentLocals = {};
    Type result;
    int resultLocal;
    Type thrown;
    int thrownLocal;

    Place(String point, int instruction, String target) {
      this.point = point;
      this.instruction = instruction;
      this.target = target;
    }
  }

  private void insert(InsnList code, String when, Place place) {
    for (Snippet snippet : covering) {
      if (!snippet.isAt(when, place.point) || !isAllowed(snippet, place)) {
        continue;
      }
      boolean isForEach = false;
      for (Parameter parameter : snippet.parameters()) {
        isForEach |= parameter.kind() == Kind.ARGUMENT && parameter.argument() == Snippet.EACH;
      }
      for (int each = 0; each < (isForEach ? place.arguments.length : 1); each++) {
        InsnList call = call(snippet, place, each);
        if (call != null) {
          code.add(call);
        }
      }
    }
  }

  private boolean isAllowed(Snippet snippet, Place place) {
    String[] names = {file.name(), method.name, method.desc};
    return probe.allows(snippet, names, place.target, opcode(place), isJdk);
  }

  private String opcode(Place place) {
    return place.instruction < 0 ? "" : Opcodes.mnemonic(plan.blocks().opcode(place.instruction));
  }

  /** A call of a snippet; null if it wants what is not there, or of another type. */
  private InsnList call(Snippet snippet, Place place, int each) {
    InsnList code = new InsnList();
    int size = 3; // node and slot
    for (Parameter parameter : snippet.parameters()) {
      if (!push(code, parameter, place, each)) {
        return null;
      }
      size += parameter.kind() == Kind.CONTEXT ? 0 : Type.getType(parameter.passed()).getSize();
    }
    code.add(locals.loadNode());
    code.add(Push.of((int) CountingCode.distance(plan.slotOf(probe))));
    code.add(calls.call(snippet.entry()));
    stackUsed = Math.max(stackUsed, size + 2);
    return code;
  }

  private boolean push(InsnList code, Parameter parameter, Place place, int each) {
    switch (parameter.kind()) {
      case CONTEXT:
        return true;
      case PLACE:
        code.add(Push.of(place.instruction));
        return true;
      case INDEX:
        code.add(Push.of(each));
        return true;
      case STATIC:
        code.add(new LdcInsnNode(fact(parameter.fact(), place)));
        return true;
      case RECEIVER:
        return load(code, place.receiver, place.receiverLocal, parameter.type());
      case RESULT:
        return load(code, place.result, place.resultLocal, parameter.type());
      case THROWN:
        return load(code, place.thrown, place.thrownLocal, parameter.type());
      default:
        int k = parameter.argument() == Snippet.EACH ? each : parameter.argument();
        return k < place.arguments.length
            && load(code, place.arguments[k], place.argumentLocals[k], parameter.type());
    }
  }

  private String fact(String name, Place place) {
    return switch (name) {
      case "CLASS" -> file.name();
      case "METHOD" -> method.name;
      case "DESCRIPTOR" -> method.desc;
      case "TARGET" -> place.target;
      default -> opcode(place);
    };
  }

  /** Loads a value as a type, if it has it; numbers may be widened. */
  private static boolean load(InsnList code, Type from, int local, String to) {
    if (from == null) {
      return false;
    }
    boolean isSmall = "ZBCSI".contains(from.getDescriptor());
    boolean isReference = from.getDescriptor().length() > 1;
    boolean isSame = from.getDescriptor().equals(to);
    boolean widens = isSmall && (to.equals("I") || to.equals("J")) && from != Type.BOOLEAN_TYPE;
    boolean isAny = isReference && to.equals("Ljava/lang/Object;");
    if (!isSame && !widens && !isAny && !(from == Type.FLOAT_TYPE && to.equals("D"))) {
      return false;
    }
    code.add(new VarInsnNode(from.getOpcode(ILOAD), local));
    if (isSmall && to.equals("J")) {
      code.add(new InsnNode(I2L));
    } else if (from == Type.FLOAT_TYPE && to.equals("D")) {
      code.add(new InsnNode(F2D));
    }
    return true;
  }
}
