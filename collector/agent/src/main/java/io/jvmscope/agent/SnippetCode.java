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
import static org.objectweb.asm.Opcodes.UNINITIALIZED_THIS;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.Opcodes;
import io.jvmscope.probe.Snippet;
import io.jvmscope.probe.Snippet.Kind;
import io.jvmscope.probe.Snippet.Parameter;
import io.jvmscope.probe.Snippets;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
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
  private static final String AFTER_THROWING = "afterthrowing";

  private final ClassFile file;
  private final MethodNode method;
  private final MethodPlan plan;
  private final AbstractInsnNode[] instructions;
  private final Snippets probe;
  private final List<Snippet> covering;
  private final Calls calls;
  private final CountingLocals locals;
  private final Constructor constructor;
  private final boolean isJdk;
  private final int firstLocal;
  private final boolean hasFrames;
  private final PlaceCode places; // null: no snippet is for what throws in the method
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
      boolean isJdk,
      Constructor constructor) {
    this.file = file;
    this.method = method;
    this.plan = plan;
    this.instructions = instructions;
    this.probe = probe;
    this.calls = calls;
    this.locals = locals;
    this.isJdk = isJdk;
    this.constructor = constructor;
    this.firstLocal = method.maxLocals + locals.size();
    this.covering = covering(probe, file, method);
    this.hasFrames = Bodies.hasFrames(file, method);
    this.places =
        !followsPlaces(probe, file, method)
            ? null
            : new PlaceCode(
                method, plan.blocks(), instructions, locals, hasFrames, firstLocal, new Throwing());
  }

  private static List<Snippet> covering(Snippets probe, ClassFile file, MethodNode method) {
    List<Snippet> covering = new ArrayList<>();
    for (Snippet snippet : probe.snippets()) {
      if (snippet.covers(file.name(), method.name, method.desc)) {
        covering.add(snippet);
      }
    }
    return covering;
  }

  /** Does a method need a local that tells where it is, for snippets after what throws? */
  static boolean followsPlaces(Snippets probe, ClassFile file, MethodNode method) {
    if (probe != null) {
      for (Snippet snippet : covering(probe, file, method)) {
        if (snippet.when().equals(AFTER_THROWING) && !snippet.point().equals(BODY)) {
          return true;
        }
      }
    }
    return false;
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
      InsnList after = new InsnList();
      if (handles[k]) {
        atHandler(before, k);
      }
      int block = plan.blocks().blockOf(k);
      if (plan.blocks().first(block) == k) {
        beginBlock(before, k);
      }
      SnippetOperands operands = SnippetOperands.of(instructions[k]);
      if (operands != null) {
        atInstruction(before, after, k, operands);
      }
      int opcode = instructions[k].getOpcode();
      if (plan.blocks().last(block) == k && opcode != ATHROW) {
        InsnList end = isJump(instructions[k]) ? before : after;
        insert(end, "after", new Place("BLOCK", plan.blocks().first(block), ""));
      }
      if (opcode >= IRETURN && opcode <= RETURN) {
        atReturn(before, k);
      }
      if (before.size() > 0) {
        method.instructions.insertBefore(instructions[k], before);
      }
      if (after.size() > 0) {
        method.instructions.insert(instructions[k], after);
      }
    }
  }

  /** Does code after an instruction not run, or not always? */
  private static boolean isJump(AbstractInsnNode i) {
    return Ways.isBranch(i) || Ways.isLast(i);
  }

  private void beginBlock(InsnList code, int k) {
    if (places != null) {
      code.add(places.beginBlock(plan.blocks().blockOf(k)));
    }
    insert(code, "before", new Place("BLOCK", k, ""));
  }

  /** What runs last before the method's own code: snippets that follow have been inserted. */
  InsnList begin() {
    return places == null ? new InsnList() : places.begin();
  }

  /** Inserts what runs first in handlers, where exceptions are on the stack. */
  private void atHandler(InsnList code, int k) {
    if (places != null) {
      code.add(places.inHandler(k));
      use(firstLocal + 1, stackUsed + 2);
    }
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

  /** What runs after instructions and blocks have thrown. */
  private final class Throwing implements PlaceCode.Throwing {
    @Override
    public InsnList ofInstruction(int k) {
      SnippetOperands operands = SnippetOperands.of(instructions[k]);
      return operands == null
          ? new InsnList()
          : afterThrowing(new Place(operands.point(), k, operands.target()));
    }

    @Override
    public InsnList ofBlock(int block) {
      return afterThrowing(new Place("BLOCK", plan.blocks().first(block), ""));
    }
  }

  private InsnList afterThrowing(Place place) {
    place.thrown = Type.getObjectType("java/lang/Throwable");
    place.thrownLocal = firstLocal;
    InsnList code = new InsnList();
    insert(code, AFTER_THROWING, place);
    return code;
  }

  /**
   * What runs when the method ends with an exception; its code begins at a label. A constructor has
   * a handler for its object before it is initialised, and another one for afterwards; none may be
   * around the call of the superclass's constructor.
   */
  void afterThrowing(LabelNode start) {
    if (covering.isEmpty()) {
      return;
    }
    LabelNode end = new LabelNode();
    int last = instructions.length;
    if (!isConstructor()) {
      method.instructions.add(end);
      endWithException(start, end, 0, last);
    } else if (constructor.call >= 0) {
      LabelNode call = new LabelNode();
      LabelNode called = new LabelNode();
      method.instructions.insertBefore(instructions[constructor.call], call);
      method.instructions.insert(instructions[constructor.call], called);
      method.instructions.add(end);
      endWithException(start, call, 0, constructor.call, UNINITIALIZED_THIS);
      endWithException(called, end, constructor.call + 1, last);
    }
  }

  private void endWithException(LabelNode from, LabelNode to, int first, int end, Object... own) {
    InsnList code = new InsnList();
    if (places != null) {
      boolean[] covered = new boolean[instructions.length];
      Arrays.fill(covered, first, end, true);
      code.add(places.atEnd(covered, own));
    }
    InsnList ofBody = afterThrowing(new Place(BODY, -1, ""));
    if (ofBody.size() > 0) {
      code.add(new InsnNode(DUP));
      code.add(new VarInsnNode(ASTORE, firstLocal));
      code.add(ofBody);
    }
    if (code.size() == 0) {
      return;
    }
    use(firstLocal + 1, stackUsed + 2);
    LabelNode handler = new LabelNode();
    method.instructions.add(handler);
    if (hasFrames) {
      method.instructions.add(locals.handlerFrame(own));
    }
    method.instructions.add(code);
    method.instructions.add(new InsnNode(ATHROW));
    method.tryCatchBlocks.add(new TryCatchBlockNode(from, to, handler, null));
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

  private void atInstruction(InsnList before, InsnList after, int k, SnippetOperands operands) {
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
    boolean isFollowed = places != null && places.follows(k);
    if (isFollowed) {
      after.add(places.after(k));
    }
    if (first.size() + then.size() > 0) {
      keep(before, place, local);
      before.add(first);
      if (then.size() > 0 && place.result != null) {
        keepTop(after, place.result, local);
      }
      after.add(then);
    }
    if (isFollowed) {
      before.add(places.before(k));
    }
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
