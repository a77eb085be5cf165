package io.jvmscope.watch;

import static org.objectweb.asm.Opcodes.*;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Compiles a condition for one method, with types. */
final class ConditionCompiler {
  private static final Type TEXT = Type.getType(String.class);
  private static final Type OBJECT = Type.getType(Object.class);
  private static final Type LONG_INTEGER = Type.LONG_TYPE;
  private static final Type REAL = Type.DOUBLE_TYPE;
  private static final Type TRUTH = Type.BOOLEAN_TYPE;

  private static final String TEXT_HELPER = "()Ljava/lang/String;";

  /** Methods of texts, with what they return and take. */
  private static final Map<String, String> TEXT_METHODS =
      Map.of(
          "length", "()I",
          "isEmpty", "()Z",
          "startsWith", "(Ljava/lang/String;)Z",
          "endsWith", "(Ljava/lang/String;)Z",
          "contains", "(Ljava/lang/CharSequence;)Z");

  /** The types that a reference to a String may have. */
  private static final Set<String> TYPES_OF_TEXT =
      Set.of(
          "java/lang/String",
          "java/lang/Object",
          "java/lang/CharSequence",
          "java/lang/Comparable",
          "java/io/Serializable",
          "java/lang/constant/Constable",
          "java/lang/constant/ConstantDesc");

  /** Opcodes of comparisons: of what {@code lcmp} gives, the jump if it does not hold. */
  private static final Map<String, Integer> UNLESS =
      Map.of("==", IFNE, "!=", IFEQ, "<", IFGE, "<=", IFGT, ">", IFLE, ">=", IFLT);

  private static final Map<String, Integer> ARITHMETIC =
      Map.of("+", LADD, "-", LSUB, "*", LMUL, "%", LREM);

  private final ClassNode owner;
  private final ClassLoader loader;
  private final ParameterNames parameters;
  private final Probe probe;
  private final ConditionCode out;

  ConditionCompiler(
      ClassNode owner,
      ClassLoader loader,
      ParameterNames parameters,
      Probe probe,
      ConditionCode out) {
    this.owner = owner;
    this.loader = loader;
    this.parameters = parameters;
    this.probe = probe;
    this.out = out;
  }

  /** A value in a local; a type of null is that of {@code null}. */
  private record Value(Type type, int local) {
    boolean isOf(Type other) {
      return other.equals(type);
    }

    boolean isNumber() {
      return isOf(LONG_INTEGER) || isOf(REAL);
    }

    boolean isReference() {
      return type == null || type.getSort() >= Type.ARRAY;
    }
  }

  /** Compiles all of it. */
  void compile() throws ConditionException {
    Value value = value(probe.condition());
    expect(TRUTH, value, probe.condition(), "a condition");
    out.end(value.local);
  }

  private Value value(Expression part) throws ConditionException {
    return switch (part.kind()) {
      case "and", "or" -> connected(part);
      case "not" -> negated(part);
      case "integer" -> integer(Long.parseLong(part.text()));
      case "real" -> real(Double.parseDouble(part.text()));
      case "text" -> literal("text", probe.literals().indexOf(part.text()), TEXT);
      case "true", "false" -> truth(part.kind().equals("true"));
      case "null" -> new Value(null, -1);
      case "name" -> name(part);
      case "member" -> member(part);
      case "call" -> call(part);
      case "minus" -> minus(part);
      case "+", "-", "*", "%" -> arithmetic(part);
      default -> comparison(part);
    };
  }

  private Value connected(Expression part) throws ConditionException {
    boolean isAnd = part.kind().equals("and");
    Value result = truth(!isAnd); // unless the second is asked
    int nLocals = out.nLocals();
    LabelNode end = new LabelNode();
    out.load(TRUTH, truthOf(part.first(), part));
    out.jump(isAnd ? IFEQ : IFNE, end);
    out.load(TRUTH, truthOf(part.second(), part));
    out.set(result.local);
    out.place(end, nLocals);
    return result;
  }

  private int truthOf(Expression operand, Expression of) throws ConditionException {
    Value value = value(operand);
    expect(TRUTH, value, operand, of.kind().equals("and") ? "'&&'" : "'||'");
    return value.local;
  }

  private Value negated(Expression part) throws ConditionException {
    Value value = value(part.first());
    expect(TRUTH, value, part.first(), "'!'");
    out.load(TRUTH, value.local);
    out.insn(ICONST_1);
    out.insn(IXOR);
    return stored(TRUTH);
  }

  private Value comparison(Expression part) throws ConditionException {
    Value first = value(part.first());
    Value second = value(part.second());
    boolean isEquality = part.kind().equals("==") || part.kind().equals("!=");
    if (first.isNumber() && second.isNumber()) {
      boolean isReal = first.isOf(REAL) || second.isOf(REAL);
      loadNumbers(first, second, isReal);
      boolean isLess = part.kind().startsWith("<");
      out.insn(!isReal ? LCMP : isLess ? DCMPG : DCMPL); // not a number: nothing holds
      return unless(UNLESS.get(part.kind()));
    }
    if (!isEquality) {
      Value wrong = first.isNumber() ? second : first;
      Expression place = first.isNumber() ? part.second() : part.first();
      throw new ConditionException(
          place, "'" + part.kind() + "' compares numbers, and this is " + shown(wrong));
    }
    if (first.isOf(TRUTH) && second.isOf(TRUTH)) {
      out.load(TRUTH, first.local);
      out.load(TRUTH, second.local);
      out.insn(IXOR);
      return unless(UNLESS.get(part.kind()));
    }
    if (first.isReference() && second.isReference()) {
      return sameness(part, first, second);
    }
    throw cannotCompare(part, first, second);
  }

  private static ConditionException cannotCompare(Expression part, Value first, Value second) {
    String values = shown(first) + " with " + shown(second);
    return new ConditionException(part, "cannot compare " + values);
  }

  /** Whether a reference may be one to a String: it is null, or of a type that String is, too. */
  private static boolean mayBeText(Value value) {
    return value.type == null || TYPES_OF_TEXT.contains(value.type.getInternalName());
  }

  private Value sameness(Expression part, Value first, Value second) throws ConditionException {
    boolean areTexts = first.isOf(TEXT) || second.isOf(TEXT);
    if (areTexts && !(mayBeText(first) && mayBeText(second))) {
      throw cannotCompare(part, first, second);
    }
    loadReference(first);
    loadReference(second);
    boolean isEqual = part.kind().equals("==");
    if (areTexts) {
      out.helper("areEqual", "(Ljava/lang/Object;Ljava/lang/Object;)Z");
      return unless(isEqual ? IFEQ : IFNE);
    }
    return unless(isEqual ? IF_ACMPNE : IF_ACMPEQ);
  }

  /** Whether a jump is not taken, which takes what is on the stack. */
  private Value unless(int opcode) {
    Value result = truth(false);
    int nLocals = out.nLocals();
    LabelNode end = new LabelNode();
    out.jump(opcode, end);
    out.insn(ICONST_1);
    out.set(result.local);
    out.place(end, nLocals);
    return result;
  }

  private Value arithmetic(Expression part) throws ConditionException {
    Value first = number(part.first(), part.kind());
    Value second = number(part.second(), part.kind());
    boolean isReal = first.isOf(REAL) || second.isOf(REAL);
    if (part.kind().equals("%") && !isReal) {
      out.load(LONG_INTEGER, second.local);
      out.insn(LCONST_0);
      out.insn(LCMP);
      out.fail(IFEQ);
    }
    loadNumbers(first, second, isReal);
    Type type = isReal ? REAL : LONG_INTEGER;
    out.insn(ARITHMETIC.get(part.kind()) + (isReal ? DADD - LADD : 0));
    return stored(type);
  }

  private Value minus(Expression part) throws ConditionException {
    Value value = number(part.first(), "-");
    out.load(value.type, value.local);
    out.insn(value.isOf(REAL) ? DNEG : LNEG);
    return stored(value.type);
  }

  private Value number(Expression part, String operator) throws ConditionException {
    Value value = value(part);
    if (!value.isNumber()) {
      throw new ConditionException(
          part, "'" + operator + "' needs a number, and this is " + shown(value));
    }
    return value;
  }

  private Value name(Expression part) throws ConditionException {
    String name = part.text();
    if (name.equals("this")) {
      int local = parameters.receiver(part);
      return new Value(Type.getObjectType(owner.name), local);
    }
    int index = parameters.index(part);
    Type type = parameters.type(index);
    out.load(type, parameters.local(index));
    return widened(type);
  }

  private Value member(Expression part) throws ConditionException {
    Expression of = part.first();
    if (of.kind().equals("name") && of.text().equals("thread")) {
      return ofThread(part);
    }
    Value value = value(of);
    if (value.type != null && value.type.getSort() == Type.ARRAY && part.text().equals("length")) {
      loadPresent(value);
      out.insn(ARRAYLENGTH);
      return widened(Type.INT_TYPE);
    }
    if (value.type == null || !value.type.getInternalName().equals(owner.name)) {
      throw new ConditionException(
          part,
          "there is no field '"
              + part.text()
              + "' of "
              + shown(value)
              + " to read here: conditions see fields of "
              + dotted(owner.name)
              + " alone");
    }
    return field(part, value);
  }

  private Value field(Expression part, Value value) throws ConditionException {
    FieldNode field = new Ancestors(owner, loader).field(part);
    boolean isStatic = (field.access & ACC_STATIC) != 0;
    if (!isStatic) {
      loadPresent(value);
    }
    int opcode = isStatic ? GETSTATIC : GETFIELD;
    out.code.add(new FieldInsnNode(opcode, owner.name, field.name, field.desc));
    return widened(Type.getType(field.desc));
  }

  private Value ofThread(Expression part) throws ConditionException {
    switch (part.text()) {
      case "name", "group" -> {
        out.helper(part.text().equals("name") ? "threadName" : "threadGroup", TEXT_HELPER);
        return stored(TEXT);
      }
      case "isVirtual", "isDaemon" -> {
        out.helper(part.text().equals("isVirtual") ? "isThreadVirtual" : "isThreadDaemon", "()Z");
        return stored(TRUTH);
      }
      case "id" -> {
        out.helper("threadId", "()J");
        Value number = stored(LONG_INTEGER);
        out.load(number.type, number.local);
        out.insn(LCONST_0);
        out.insn(LCMP);
        out.fail(IFEQ);
        return number;
      }
      default ->
          throw new ConditionException(
              part,
              "a thread has no '"
                  + part.text()
                  + "', only 'name', 'id', 'group', 'isVirtual' and 'isDaemon'");
    }
  }

  private Value call(Expression part) throws ConditionException {
    Value receiver = value(part.first());
    String descriptor = TEXT_METHODS.get(part.text());
    if (!receiver.isOf(TEXT) || descriptor == null) {
      throw new ConditionException(
          part,
          "conditions call length, isEmpty, startsWith, endsWith and contains of a String, not '"
              + part.text()
              + "' of "
              + shown(receiver));
    }
    List<Expression> rest = part.operands().subList(1, part.operands().size());
    int n = Type.getArgumentTypes(descriptor).length;
    if (rest.size() != n) {
      throw new ConditionException(
          part, "'" + part.text() + "' takes " + n + " arguments, and has " + rest.size());
    }
    Value argument = n == 0 ? null : value(rest.get(0));
    if (argument != null) {
      expect(TEXT, argument, rest.get(0), "'" + part.text() + "'");
    }
    present(receiver);
    if (argument != null) {
      present(argument); // before anything is on the stack
    }
    loadReference(receiver);
    if (argument != null) {
      loadReference(argument);
    }
    out.code.add(
        new MethodInsnNode(INVOKEVIRTUAL, TEXT.getInternalName(), part.text(), descriptor, false));
    return widened(Type.getReturnType(descriptor));
  }

  private Value truth(boolean value) {
    out.insn(value ? ICONST_1 : ICONST_0);
    return stored(TRUTH);
  }

  private Value integer(long value) {
    if (value == (short) value) {
      out.push((int) value);
      out.insn(I2L);
      return stored(LONG_INTEGER);
    }
    return literal("integer", probe.literals().indexOf(value), LONG_INTEGER);
  }

  private Value real(double value) {
    return literal("real", probe.literals().indexOf(value), REAL);
  }

  private Value literal(String helper, int index, Type type) {
    out.literal(helper, index, type);
    return stored(type);
  }

  /** Takes what is on the stack; integers become long, floats double. */
  private Value widened(Type type) {
    switch (type.getSort()) {
      case Type.BYTE, Type.CHAR, Type.SHORT, Type.INT -> {
        out.insn(I2L);
        return stored(LONG_INTEGER);
      }
      case Type.FLOAT -> {
        out.insn(F2D);
        return stored(REAL);
      }
      default -> {
        return stored(type);
      }
    }
  }

  private Value stored(Type type) {
    return new Value(type, out.store(type));
  }

  private void loadNumbers(Value first, Value second, boolean isReal) {
    for (Value value : new Value[] {first, second}) {
      out.load(value.type, value.local);
      if (isReal && value.isOf(LONG_INTEGER)) {
        out.insn(L2D);
      }
    }
  }

  private void loadReference(Value value) {
    if (value.type == null) {
      out.insn(ACONST_NULL);
    } else {
      out.load(OBJECT, value.local);
    }
  }

  /** Loads a reference that is used: where it is null, the condition is not met. */
  private void loadPresent(Value value) {
    present(value);
    loadReference(value);
  }

  private void present(Value value) {
    loadReference(value);
    out.fail(IFNULL);
  }

  private static void expect(Type type, Value value, Expression place, String who)
      throws ConditionException {
    if (!value.isOf(type)) {
      String expected = type == TRUTH ? "true or false" : "a String";
      throw new ConditionException(
          place, who + " needs " + expected + ", and this is " + shown(value));
    }
  }

  private static String shown(Value value) {
    if (value.type == null) {
      return "null";
    }
    return value.isOf(LONG_INTEGER)
        ? "an integer"
        : value.isOf(REAL)
            ? "a number"
            : value.isOf(TRUTH) ? "true or false" : "a value of type " + value.type.getClassName();
  }

  private static String dotted(String name) {
    return name.replace('/', '.');
  }
}
