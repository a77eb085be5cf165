package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.BIPUSH;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.LADD;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LSTORE;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.SIPUSH;

import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Site;
import io.jvmscope.classfile.MethodPlan.SiteKind;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Writes a plan's counting into one method.
 *
 * <p>Three locals follow the method's own: the current thread, the node, and the caller's slot. The
 * protocol: the prologue finds the node; before a call the thread's slot becomes that of the call
 * site; after a call, at an exception handler and at entry it becomes the node's own where the plan
 * says that the VM may call Java next; a return gives the caller's slot back. A frame that ends by
 * an exception gives nothing back: the handler that catches sets the slot anew. Only where the VM
 * itself is the caller and may go on after an exception (class initialisers and class loading) is
 * the slot given back then too.
 */
final class MethodInstrumenter {
  private static final String THREAD = Calls.THREAD;

  private static final int COUNTERS = 16;

  private final Calls calls;
  private final String owner;
  private final MethodNode method;
  private final MethodPlan plan;
  private final BasicBlocks blocks;
  private final int id;
  private final boolean hasFrames;
  private final boolean hasClassConstants;
  private final boolean givesBack;
  private final boolean isOrdered;
  private final int threadLocal;
  private final int nodeLocal;
  private final int slotLocal;

  MethodInstrumenter(
      String owner,
      MethodNode method,
      MethodPlan plan,
      int id,
      int majorVersion,
      Calls calls) {
    this.calls = calls;
    this.owner = owner;
    this.method = method;
    this.plan = plan;
    this.blocks = plan.blocks();
    this.id = id;
    this.hasFrames = majorVersion >= 50;
    this.hasClassConstants = majorVersion >= 49;
    this.givesBack = plan.setsSlot();
    this.isOrdered = plan.firstSiteSlot() > MethodPlan.ORDER_SLOT;
    this.threadLocal = method.maxLocals;
    this.nodeLocal = threadLocal + 1;
    this.slotLocal = threadLocal + 3;
  }

  void instrument() {
    AbstractInsnNode[] instructions = realInstructions();
    Map<AbstractInsnNode, LabelNode> allocations = adaptFrames();
    boolean[] handles = findHandlers(instructions);
    for (int i = 0; i < instructions.length; i++) {
      insertBefore(i, instructions[i], handles[i]);
      insertAfter(i, instructions[i]);
    }
    for (Map.Entry<AbstractInsnNode, LabelNode> allocation : allocations.entrySet()) {
      method.instructions.insertBefore(allocation.getKey(), allocation.getValue());
    }
    for (int k = 0; k < plan.branches().size(); k++) {
      watch(instructions[plan.branches().get(k)], plan.siteSlotCount() + k);
    }
    LabelNode start = new LabelNode();
    if (givesBack && isCalledByTheVm()) {
      giveBackOnException(start);
    }
    InsnList prologue = prologue();
    prologue.add(start);
    method.instructions.insert(prologue);
    method.maxLocals += 5;
    method.maxStack += 8;
  }

  private AbstractInsnNode[] realInstructions() {
    AbstractInsnNode[] found = new AbstractInsnNode[blocks.instructionCount()];
    int n = 0;
    for (AbstractInsnNode i = method.instructions.getFirst(); i != null; i = i.getNext()) {
      if (i.getOpcode() >= 0) {
        found[n++] = i;
      }
    }
    if (n != found.length) {
      throw new IllegalStateException(owner + "." + method.name + ": " + n + " instructions read, "
          + found.length + " in the class file");
    }
    return found;
  }

  private boolean[] findHandlers(AbstractInsnNode[] instructions) {
    Map<AbstractInsnNode, Boolean> starts = new IdentityHashMap<>();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      starts.put(nextReal(block.handler), true);
    }
    boolean[] handles = new boolean[instructions.length];
    for (int i = 0; i < instructions.length; i++) {
      handles[i] = starts.containsKey(instructions[i]);
    }
    return handles;
  }

  private static AbstractInsnNode nextReal(AbstractInsnNode from) {
    AbstractInsnNode at = from;
    while (at != null && at.getOpcode() < 0) {
      at = at.getNext();
    }
    return at;
  }

  // ---- what is inserted

  private InsnList prologue() {
    InsnList code = new InsnList();
    addFirstLine(code);
    int shape = plan.counterCount() << 16 | plan.slotCount();
    int cells = plan.siteSlotCount() + plan.branches().size();
    code.add(calls.currentThread());
    code.add(new InsnNode(DUP));
    code.add(new VarInsnNode(ASTORE, threadLocal));
    code.add(new VarInsnNode(ALOAD, threadLocal));
    code.add(calls.getSlot());
    if (givesBack) {
      code.add(new InsnNode(DUP2));
      code.add(new VarInsnNode(LSTORE, slotLocal));
    }
    code.add(push(id));
    code.add(push(shape));
    code.add(calls.call("enter", "(L" + THREAD + ";JII)J"));
    code.add(new VarInsnNode(LSTORE, nodeLocal));
    if (plan.countsCallsApart()) {
      count(code, 0);
    }
    if (plan.needsOwnSlot(0)) {
      setSlot(code, 0);
    }
    boolean isHash = method.name.equals("hashCode") && method.desc.equals("()I");
    boolean isClone = method.name.equals("clone") && method.desc.equals("()Ljava/lang/Object;");
    if ((isHash || isClone) && !isStatic()) {
      code.add(new VarInsnNode(ALOAD, 0));
      code.add(calls.call(isHash ? "overridesHash" : "overridesClone", "(Ljava/lang/Object;)V"));
    }
    if (isOrdered && cells > 0) {
      code.add(new VarInsnNode(ALOAD, threadLocal));
      code.add(new VarInsnNode(LLOAD, nodeLocal));
      code.add(push(cells));
      code.add(calls.call("keepOrder", "(L" + THREAD + ";JI)V"));
    }
    if (plan.receiverSlot() >= 0) {
      code.add(new VarInsnNode(ALOAD, 0));
      code.add(new VarInsnNode(LLOAD, nodeLocal));
      code.add(push(-4 * (plan.receiverSlot() + 1)));
      code.add(calls.call("receive", "(Ljava/lang/Object;JI)V"));
    }
    if (isOrdered && !isStatic() && !method.name.startsWith("<")) {
      code.add(new VarInsnNode(ALOAD, 0));
      code.add(new VarInsnNode(LLOAD, nodeLocal));
      code.add(calls.call("succeed", "(Ljava/lang/Object;J)V"));
    }
    return code;
  }

  /** A stack that overflows does so in the prologue: the frame's line is the method's first. */
  private void addFirstLine(InsnList code) {
    for (AbstractInsnNode i = method.instructions.getFirst(); i != null; i = i.getNext()) {
      if (i instanceof LineNumberNode line) {
        LabelNode start = new LabelNode();
        code.add(start);
        code.add(new LineNumberNode(line.line, start));
        return;
      }
      if (i.getOpcode() >= 0) {
        return;
      }
    }
  }

  private boolean isStatic() {
    return (method.access & Opcodes.ACC_STATIC) != 0;
  }

  private void insertBefore(int i, AbstractInsnNode instruction, boolean handles) {
    InsnList code = new InsnList();
    int segment = plan.segmentOf(i);
    if (plan.segmentFirst(segment) == i && plan.segmentCounter(segment) >= 0) {
      count(code, plan.segmentCounter(segment));
    }
    if (handles && plan.needsOwnSlot(i)) {
      setSlot(code, 0);
    }
    Site site = plan.siteAt(i);
    if (site != null) {
      beforeCall(code, site, instruction);
    }
    int opcode = instruction.getOpcode();
    if (givesBack && opcode >= IRETURN && opcode <= RETURN) {
      giveBack(code);
    }
    if (code.size() > 0) {
      method.instructions.insertBefore(instruction, code);
    }
  }

  private void beforeCall(InsnList code, Site site, AbstractInsnNode call) {
    switch (site.kind()) {
      case CALL -> setSlot(code, site.index());
      case OPEN -> {
        code.add(new InsnNode(DUP));
        setSlot(code, site.index());
      }
      case NATIVE -> {
        resolveOwner(code, ((MethodInsnNode) call).owner);
        code.add(new VarInsnNode(ALOAD, threadLocal));
        code.add(new VarInsnNode(ALOAD, threadLocal));
        addSlotAddress(code, site.index());
        code.add(push(site.leaf().methodId()));
        code.add(calls.call("enterNative", "(L" + THREAD + ";JI)J"));
        code.add(calls.setSlot());
      }
      case LEAF -> {
        // A virtual leaf is counted when it has returned: with no receiver there is no call.
        if (!site.isDerived() && call.getOpcode() != INVOKEVIRTUAL) {
          count(code, site.index());
        }
      }
    }
  }

  /**
   * Has the VM ask the class's loader for a native's class now, if it must, from the caller: from
   * the call on, what the VM calls counts as the native's. Inside the JDK no loader is asked.
   */
  private void resolveOwner(InsnList code, String name) {
    if (calls == Calls.THROUGH_OBJECT && hasClassConstants) {
      setSlot(code, 0);
      code.add(new LdcInsnNode(Type.getObjectType(name)));
      code.add(new InsnNode(POP));
    }
  }

  private void insertAfter(int i, AbstractInsnNode instruction) {
    Site site = plan.siteAt(i);
    if (site == null) {
      return;
    }
    InsnList code = new InsnList();
    if (site.kind() != SiteKind.LEAF) {
      if (site.kind() == SiteKind.OPEN) {
        boolean isHash = site.leaf().name().equals("hashCode");
        String result = isHash ? "I" : "Ljava/lang/Object;";
        code.add(new VarInsnNode(ALOAD, threadLocal));
        addSlotAddress(code, site.index());
        code.add(push(site.leaf().methodId()));
        code.add(
            calls.call(
                isHash ? "hashed" : "cloned",
                "(Ljava/lang/Object;" + result + "L" + THREAD + ";JI)" + result));
      }
      if (plan.needsOwnSlot(i + 1)) {
        setSlot(code, 0);
      }
    } else if (!site.isDerived() && instruction.getOpcode() == INVOKEVIRTUAL) {
      count(code, site.index());
    }
    method.instructions.insert(instruction, code);
  }

  private void count(InsnList code, int counter) {
    code.add(new VarInsnNode(LLOAD, nodeLocal));
    code.add(push(COUNTERS + 8 * counter));
    code.add(calls.call("count", "(JI)V"));
  }

  private void setSlot(InsnList code, int slot) {
    code.add(new VarInsnNode(ALOAD, threadLocal));
    addSlotAddress(code, slot);
    code.add(calls.setSlot());
  }

  private void addSlotAddress(InsnList code, int slot) {
    code.add(new VarInsnNode(LLOAD, nodeLocal));
    code.add(new LdcInsnNode(-4L * (slot + 1)));
    code.add(new InsnNode(LADD));
  }

  private void giveBack(InsnList code) {
    code.add(new VarInsnNode(ALOAD, threadLocal));
    code.add(new VarInsnNode(LLOAD, slotLocal));
    code.add(calls.setSlot());
  }

  /** Tells which way a branch goes: each way leads over a stretch of code of its own. */
  private void watch(AbstractInsnNode branch, int cell) {
    Map<LabelNode, LabelNode> detours = new IdentityHashMap<>();
    if (branch instanceof JumpInsnNode jump) {
      InsnList stays = new InsnList();
      tell(stays, cell, 1);
      method.instructions.insert(jump, stays);
      jump.label = detour(jump.label, cell, 2, detours);
    } else if (branch instanceof TableSwitchInsnNode table) {
      table.dflt = detour(table.dflt, cell, 1, detours);
      detourAll(table.labels, cell, detours);
    } else if (branch instanceof LookupSwitchInsnNode lookup) {
      lookup.dflt = detour(lookup.dflt, cell, 1, detours);
      detourAll(lookup.labels, cell, detours);
    }
  }

  private void detourAll(List<LabelNode> labels, int cell, Map<LabelNode, LabelNode> detours) {
    for (int k = 0; k < labels.size(); k++) {
      labels.set(k, detour(labels.get(k), cell, k + 2, detours));
    }
  }

  /** A stretch at the method's end that tells of a way and jumps on to where it led. */
  private LabelNode detour(
      LabelNode to, int cell, int way, Map<LabelNode, LabelNode> detours) {
    LabelNode known = detours.get(to);
    if (known != null) {
      return known;
    }
    LabelNode from = new LabelNode();
    detours.put(to, from);
    method.instructions.add(from);
    FrameNode frame = frameAt(to);
    if (frame != null) {
      method.instructions.add(
          new FrameNode(
              Opcodes.F_NEW,
              frame.local.size(),
              frame.local.toArray(),
              frame.stack.size(),
              frame.stack.toArray()));
    }
    InsnList code = new InsnList();
    tell(code, cell, way);
    code.add(new JumpInsnNode(Opcodes.GOTO, to));
    method.instructions.add(code);
    return from;
  }

  private static FrameNode frameAt(LabelNode label) {
    AbstractInsnNode at = label;
    while (at != null && at.getOpcode() < 0) {
      if (at instanceof FrameNode frame) {
        return frame;
      }
      at = at.getNext();
    }
    return null;
  }

  private void tell(InsnList code, int cell, int way) {
    code.add(new VarInsnNode(LLOAD, nodeLocal));
    code.add(push(cell));
    code.add(push(way));
    code.add(calls.call("branch", "(JII)V"));
  }

  /** Does the VM call this method from the middle of a frame, and go on if it throws? */
  private boolean isCalledByTheVm() {
    return method.name.equals("<clinit>")
        || method.name.equals("loadClass") && method.desc.startsWith("(Ljava/lang/String;");
  }

  private void giveBackOnException(LabelNode start) {
    LabelNode end = new LabelNode();
    InsnList code = new InsnList();
    code.add(end);
    if (hasFrames) {
      List<Object> locals = new ArrayList<>();
      pad(locals, 0);
      code.add(
          new FrameNode(
              Opcodes.F_NEW,
              locals.size(),
              locals.toArray(),
              1,
              new Object[] {"java/lang/Throwable"}));
    }
    giveBack(code);
    code.add(new InsnNode(ATHROW));
    method.instructions.add(code);
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
  }

  // ---- frames: the new locals follow the old ones, which are padded to their full number

  /** Returns the label that each NEW named by a frame needs right before it. */
  private Map<AbstractInsnNode, LabelNode> adaptFrames() {
    Map<AbstractInsnNode, LabelNode> allocations = new IdentityHashMap<>();
    for (AbstractInsnNode i = method.instructions.getFirst(); i != null; i = i.getNext()) {
      if (i instanceof FrameNode frame) {
        int slots = 0;
        for (Object local : frame.local) {
          slots += local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1;
        }
        frame.local = moveLabels(frame.local, allocations);
        pad(frame.local, slots);
        frame.stack = moveLabels(frame.stack, allocations);
      }
    }
    return allocations;
  }

  /** An uninitialised type names its NEW by a label; counting must not come between the two. */
  private static List<Object> moveLabels(
      List<Object> types, Map<AbstractInsnNode, LabelNode> allocations) {
    List<Object> moved = new ArrayList<>();
    for (Object type : types) {
      if (type instanceof LabelNode label) {
        AbstractInsnNode allocation = nextReal(label);
        LabelNode close = allocations.get(allocation);
        if (close == null) {
          close = new LabelNode();
          allocations.put(allocation, close);
        }
        moved.add(close);
      } else {
        moved.add(type);
      }
    }
    return moved;
  }

  private void pad(List<Object> locals, int slots) {
    for (int k = slots; k < threadLocal; k++) {
      locals.add(Opcodes.TOP);
    }
    locals.add(THREAD);
    locals.add(Opcodes.LONG);
    if (givesBack) {
      locals.add(Opcodes.LONG);
    }
  }

  static AbstractInsnNode push(int value) {
    if (value >= -1 && value <= 5) {
      return new InsnNode(ICONST_0 + value);
    }
    if (value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE) {
      return new IntInsnNode(BIPUSH, value);
    }
    if (value >= Short.MIN_VALUE && value <= Short.MAX_VALUE) {
      return new IntInsnNode(SIPUSH, value);
    }
    return new LdcInsnNode(value);
  }
}
