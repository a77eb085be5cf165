package io.jvmscope.agent;

import static io.jvmscope.agent.StackEffect.NOTHING;
import static io.jvmscope.agent.StackEffect.REFERENCE;
import static io.jvmscope.agent.StackEffect.TWO_WORDS;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DSTORE;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.LSTORE;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.POP2;
import static org.objectweb.asm.Opcodes.SWAP;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The values that a method has on its operand stack before each instruction, and which of them need
 * a root of their own: references that stay there while something happens that takes time, unless
 * they were loaded from a variable that refers to the same object meanwhile.
 *
 * <p>A value is the number of the instruction that made it; its copies are the same value. Values
 * that meet where ways join become one, by union and find. So every instruction is looked at once.
 *
 * <p>An object that is not initialised yet may be in variables, too: compilers (those of Kotlin and
 * Scala, not javac) put what is on the stack there while an argument of its constructor loops or
 * catches. Where ways join of which only one has it in a variable, the VM lets nobody use it.
 *
 * <p>No lambdas, nor classes of the JDK that a program may be the first to use: this runs in the VM
 * that is recorded, which would link and initialise them here instead of in the program.
 */
final class OperandStack {
  private static final int NONE = -1;

  /** In the place of a variable: null, which needs no root. */
  private static final int NULL = -2;

  /** A kind: an object that is not initialised, which nobody may be shown. */
  private static final char FRESH = 'U';

  /** Tells whether time passes while an instruction is executed. */
  interface Time {
    /**
     * May objects be allocated meanwhile?
     *
     * @param k number of the instruction
     * @param hasOperands only while it still has its operands
     */
    boolean passes(int k, boolean hasOperands);
  }

  private final Ways ways; // not used after the start, as instructions are inserted then
  private final AbstractInsnNode[] instructions;
  private final int[] indices; // of each instruction among the nodes
  private final boolean[] isFollowed; // of each variable, whether its objects are
  private final int[][] before; // of each node the values, from the bottom on; null: not reached
  private final List<Map<Integer, Integer>> fresh; // likewise variables with uninitialised values
  private final int[] parents; // of each value one that it is the same as
  private final char[] kinds;
  private final int[] variables; // that the value was loaded from
  private boolean storesFresh; // in variables, or a frame tells of some
  private final int self; // the value of the object that is constructed
  private final BitSet held = new BitSet();
  private final BitSet positions = new BitSet(); // where values are that are held
  private final ArrayDeque<Integer> open = new ArrayDeque<>();

  /**
   * Follows all ways.
   *
   * @param isConstructor whether its object is not initialised at the beginning
   * @param isFollowed of each variable, whether the frame follows what it refers to
   * @param forgotten what {@link SetVariables} says
   */
  OperandStack(
      Ways ways,
      AbstractInsnNode[] instructions,
      boolean isConstructor,
      boolean[] isFollowed,
      SetVariables forgotten,
      Time time) {
    this.ways = ways;
    this.instructions = instructions;
    this.isFollowed = isFollowed;
    this.indices = new int[instructions.length];
    for (int k = 0; k < instructions.length; k++) {
      indices[k] = ways.indexOf(instructions[k]);
    }
    int count = ways.size();
    this.before = new int[count][];
    this.fresh = nulls(count);
    this.parents = new int[2 * count];
    this.kinds = new char[2 * count];
    this.variables = new int[2 * count];
    for (int k = 0; k < parents.length; k++) {
      parents[k] = k;
    }
    this.self = count;
    Map<Integer, Integer> atStart =
        isConstructor && count > 0 ? Map.of(0, value(self, FRESH, NONE)) : Map.of();
    if (count > 0) {
      reach(0, new int[0], atStart);
    }
    while (!open.isEmpty()) {
      follow(open.pop());
    }
    if (storesFresh) {
      keepCertain(atStart);
    }
    findHeld(forgotten, time);
  }

  // ---- what it tells

  /** The values before an instruction, from the bottom on; null: it is never executed. */
  int[] before(int k) {
    return before[indices[k]];
  }

  /** The values after one that is executed. */
  int[] after(int k) {
    return execute(indices[k], instructions[k]);
  }

  /** Does a value need a root of its own? */
  boolean isHeld(int value) {
    return held.get(find(value));
  }

  /** Is a value an object that is not initialised? */
  boolean isFresh(int value) {
    return kinds[find(value)] == FRESH;
  }

  /** Is a value the object that a constructor constructs, before that is initialised? */
  boolean isReceiver(int value) {
    return isFresh(value) && isSame(value, self);
  }

  /** The variables that refer to what a call of a constructor has initialised. */
  BitSet initialised(int k) {
    BitSet variables = new BitSet();
    Map<Integer, Integer> known = fresh.get(indices[k]);
    if (known != null && ConstructorCalls.isConstructor(instructions[k])) {
      int[] stack = before(k);
      int object = stack[stack.length - StackEffect.taken(instructions[k])];
      for (Map.Entry<Integer, Integer> each : known.entrySet()) {
        variables.set(each.getKey(), each.getValue() == object);
      }
    }
    return variables;
  }

  boolean isSame(int one, int other) {
    return find(one) == find(other);
  }

  /** Has an instruction made a value, or told that it is initialised? */
  boolean isMadeBy(int value, int k) {
    return value == indices[k];
  }

  /** The places on the stack where values are that are held. */
  BitSet positions() {
    return positions;
  }

  // ---- values

  private int value(int number, char kind, int variable) {
    kinds[number] = kind;
    variables[number] = variable;
    return number;
  }

  private int find(int value) {
    int at = value;
    while (parents[at] != at) {
      parents[at] = parents[parents[at]];
      at = parents[at];
    }
    return at;
  }

  private void unite(int one, int other) {
    int to = find(one);
    int from = find(other);
    if (to == from) {
      return;
    }
    parents[from] = to;
    if (kinds[from] != kinds[to]) {
      kinds[to] = FRESH;
    }
    if (variables[to] == NULL) {
      variables[to] = variables[from];
    } else if (variables[from] != NULL && variables[from] != variables[to]) {
      variables[to] = NONE;
    }
  }

  // ---- ways

  private void reach(int index, int[] stack, Map<Integer, Integer> variables) {
    if (before[index] == null) {
      before[index] = stack;
      fresh.set(index, variables);
      open.push(index);
    } else {
      for (int k = 0; k < stack.length; k++) {
        unite(before[index][k], stack[k]);
      }
    }
  }

  private void follow(int index) {
    AbstractInsnNode i = ways.node(index);
    Map<Integer, Integer> known = fresh.get(index);
    for (int handler : ways.handlers(index)) {
      if (before[handler] == null) {
        reach(handler, new int[] {value(handler, REFERENCE, NONE)}, known);
      }
    }
    int[] stack = execute(index, i);
    Map<Integer, Integer> variables = store(known, before[index], i);
    storesFresh |= variables != known && !ConstructorCalls.isConstructor(i);
    for (int next : ways.next(index)) {
      reach(next, stack, variables);
    }
  }

  private static <T> List<T> nulls(int count) {
    List<T> nulls = new ArrayList<>(count);
    for (int k = 0; k < count; k++) {
      nulls.add(null);
    }
    return nulls;
  }

  /**
   * Keeps of the variables with objects that are not initialised those of which all ways say so.
   */
  private void keepCertain(Map<Integer, Integer> atStart) {
    List<Map<Integer, Integer>> certain = nulls(ways.size());
    meet(certain, 0, atStart);
    while (!open.isEmpty()) {
      int index = open.pop();
      Map<Integer, Integer> known = certain.get(index);
      for (int handler : ways.handlers(index)) {
        meet(certain, handler, known);
      }
      Map<Integer, Integer> variables = store(known, before[index], ways.node(index));
      for (int next : ways.next(index)) {
        meet(certain, next, variables);
      }
    }
    for (int k = 0; k < certain.size(); k++) {
      fresh.set(k, certain.get(k));
    }
  }

  private void meet(
      List<Map<Integer, Integer>> certain, int index, Map<Integer, Integer> variables) {
    Map<Integer, Integer> both = certain.get(index);
    if (both == null) {
      both = variables;
    } else if (!variables.entrySet().containsAll(both.entrySet())) {
      both = new HashMap<>(both);
      both.entrySet().retainAll(variables.entrySet());
    } else {
      return;
    }
    certain.set(index, both);
    open.push(index);
  }

  /** The variables with objects that are not initialised, behind an instruction. */
  private Map<Integer, Integer> store(
      Map<Integer, Integer> known, int[] stack, AbstractInsnNode i) {
    int opcode = i.getOpcode();
    if (i instanceof VarInsnNode store && opcode >= ISTORE && opcode <= ASTORE) {
      int value = stack[stack.length - 1];
      boolean isFresh = opcode == ASTORE && isFresh(value);
      boolean isWide = opcode == LSTORE || opcode == DSTORE;
      boolean isKnown = known.containsKey(store.var) || isWide && known.containsKey(store.var + 1);
      if (!isFresh && !isKnown) {
        return known;
      }
      Map<Integer, Integer> changed = new HashMap<>(known);
      changed.remove(store.var);
      if (isWide) {
        changed.remove(store.var + 1);
      } else if (isFresh) {
        changed.put(store.var, value);
      }
      return changed;
    }
    if (i instanceof FrameNode frame && !known.isEmpty()) {
      Map<Integer, Integer> declared = new HashMap<>(known);
      declared.keySet().retainAll(uninitialised(frame));
      return declared;
    }
    if (!known.isEmpty() && ConstructorCalls.isConstructor(i)) {
      int object = stack[stack.length - StackEffect.taken(i)];
      Map<Integer, Integer> rest = new HashMap<>(known);
      for (Map.Entry<Integer, Integer> each : known.entrySet()) {
        if (each.getValue() == object) {
          rest.remove(each.getKey());
        }
      }
      return rest;
    }
    return known;
  }

  /** Compilers leave out of frames what is not needed any more. */
  private static Set<Integer> uninitialised(FrameNode frame) {
    Set<Integer> variables = new HashSet<>();
    int variable = 0;
    for (Object type : frame.local) {
      if (type == Opcodes.UNINITIALIZED_THIS || type instanceof LabelNode) {
        variables.add(variable);
      }
      variable += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 2 : 1;
    }
    return variables;
  }

  private int[] execute(int index, AbstractInsnNode i) {
    int[] stack = before[index];
    int opcode = i.getOpcode();
    if (opcode < 0 || opcode == CHECKCAST) {
      return stack;
    } else if (opcode >= DUP && opcode <= SWAP) {
      return copy(opcode, stack);
    } else if (opcode == POP2) {
      return Arrays.copyOf(stack, stack.length - (isWide(stack, 1) ? 1 : 2));
    }
    int rest = stack.length - StackEffect.taken(i);
    char left = StackEffect.left(i);
    int[] after = Arrays.copyOf(stack, rest + (left == NOTHING ? 0 : 1));
    Integer object = opcode == ALOAD ? fresh.get(index).get(((VarInsnNode) i).var) : null;
    if (object != null) {
      after[rest] = object;
    } else if (left != NOTHING) {
      after[rest] = value(index, opcode == NEW ? FRESH : left, origin(i));
    }
    if (ConstructorCalls.isConstructor(i)) {
      initialise(after, stack[rest], index);
    }
    return after;
  }

  /** What a constructor was called for may be shown from then on. */
  private void initialise(int[] stack, int fresh, int index) {
    for (int k = 0; k < stack.length; k++) {
      if (stack[k] == fresh && kinds[fresh] == FRESH) {
        stack[k] = value(index, REFERENCE, NONE);
      }
    }
  }

  private int origin(AbstractInsnNode i) {
    if (i.getOpcode() == ALOAD) {
      return ((VarInsnNode) i).var;
    }
    return i.getOpcode() == ACONST_NULL ? NULL : NONE;
  }

  /** Is a value, counted from the top, one of two words? */
  private boolean isWide(int[] stack, int fromTop) {
    return kinds[find(stack[stack.length - fromTop])] == TWO_WORDS;
  }

  private int[] copy(int opcode, int[] stack) {
    if (opcode == SWAP) {
      int[] after = stack.clone();
      after[stack.length - 1] = stack[stack.length - 2];
      after[stack.length - 2] = stack[stack.length - 1];
      return after;
    }
    boolean isOfTwo = opcode >= DUP2;
    int copied = isOfTwo && !isWide(stack, 1) ? 2 : 1;
    int words = opcode - (isOfTwo ? DUP2 : DUP); // below those that are copied
    int passed = words == 2 && !isWide(stack, copied + 1) ? 2 : Math.min(words, 1);
    int at = stack.length - copied - passed;
    int[] after = Arrays.copyOf(stack, stack.length + copied);
    System.arraycopy(stack, stack.length - copied, after, at, copied);
    System.arraycopy(stack, at, after, at + copied, passed + copied);
    return after;
  }

  // ---- what is held

  private void findHeld(SetVariables forgotten, Time time) {
    BitSet changed = findChanged(forgotten);
    for (int k = 0; k < instructions.length; k++) {
      int[] stack = before[indices[k]];
      if (stack != null && time.passes(k, false)) {
        int taken = time.passes(k, true) ? 0 : StackEffect.taken(instructions[k]);
        for (int at = 0; at < stack.length - taken; at++) {
          int value = find(stack[at]);
          held.set(value, held.get(value) || needsRoot(value, changed.get(value)));
        }
      }
    }
    if (!held.isEmpty()) {
      findPositions();
    }
  }

  /** The values on the stack whose variables have been changed meanwhile. */
  private BitSet findChanged(SetVariables forgotten) {
    BitSet changed = new BitSet();
    for (int k = 0; k < before.length; k++) {
      if (before[k] != null && before[k].length > 0) {
        BitSet others = forgotten.unsure(k);
        addStored(others, ways.node(k));
        for (int value : before[k]) {
          int variable = variables[find(value)];
          if (variable >= 0 && others.get(variable)) {
            changed.set(find(value));
          }
        }
      }
    }
    return changed;
  }

  private static void addStored(BitSet variables, AbstractInsnNode i) {
    int opcode = i.getOpcode();
    if (i instanceof VarInsnNode store && opcode >= ISTORE && opcode <= ASTORE) {
      variables.set(store.var);
      if (opcode == LSTORE || opcode == DSTORE) {
        variables.set(store.var + 1);
      }
    }
  }

  private boolean needsRoot(int value, boolean isChanged) {
    int variable = variables[value];
    boolean isRoot = variable == NULL || variable >= 0 && (!isChanged || !isFollowed[variable]);
    return kinds[value] == REFERENCE && !isRoot;
  }

  private void findPositions() {
    for (int[] stack : before) {
      for (int at = 0; stack != null && at < stack.length; at++) {
        if (isHeld(stack[at])) {
          positions.set(at);
        }
      }
    }
    for (int k = 0; k < instructions.length; k++) { // what is exchanged needs two places
      int[] stack = before[indices[k]];
      if (stack != null && instructions[k].getOpcode() == SWAP) {
        int top = stack.length - 1;
        if (isHeld(stack[top]) || isHeld(stack[top - 1])) {
          positions.set(top - 1, top + 1);
        }
      }
    }
  }
}
