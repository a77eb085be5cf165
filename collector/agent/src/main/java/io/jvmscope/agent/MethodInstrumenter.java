package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP_X2;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.MULTIANEWARRAY;
import static org.objectweb.asm.Opcodes.NEW;
import static org.objectweb.asm.Opcodes.NEWARRAY;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.RETURN;

import io.jvmscope.agent.Calls.Entry;
import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Site;
import io.jvmscope.classfile.MethodPlan.SiteKind;
import io.jvmscope.classfile.Opcodes;
import io.jvmscope.probe.Probe;
import io.jvmscope.probe.Snippets;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

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
  /** Operands that counting may have on the stack above the method's own. */
  static final int STACK = 10;

  /** Operands that probes may hold below a call, besides. */
  static final int HELD = 4;

  private int mostHeld;
  private final Calls calls;
  private final ClassFile file;
  private final FieldKeys keys;
  private final MethodNode method;
  private final MethodPlan plan;
  private final BasicBlocks blocks;
  private final int id;
  private final boolean hasFrames;
  private final boolean hasClassConstants;
  private final boolean givesBack;
  private final CountingLocals locals;
  private final CountingCode counting;
  private final Probe[] probes;
  private final ProbeCode probeCode;
  private final SnippetCode snippets; // null: none
  private final LifetimeCode lifetimes; // likewise
  private final Constructor constructor; // null: nothing follows its object

  MethodInstrumenter(
      ClassFile file,
      MethodNode method,
      MethodPlan plan,
      Probe[] probes,
      int id,
      Calls calls,
      FieldKeys keys,
      Snippets snippets,
      boolean isJdk) {
    this.calls = calls;
    this.probes = probes;
    this.file = file;
    this.keys = keys;
    this.method = method;
    this.plan = plan;
    this.blocks = plan.blocks();
    this.id = id;
    this.hasFrames = Bodies.hasFrames(file, method);
    this.hasClassConstants = file.majorVersion() >= 49;
    this.givesBack = plan.setsSlot();
    this.locals =
        new CountingLocals(
            method,
            givesBack,
            LifetimeCode.isWanted(probes),
            SnippetCode.followsPlaces(snippets, file, method));
    this.counting = new CountingCode(calls, locals);
    String named = keys != null && keys.isHidden() ? file.name() : null;
    this.probeCode = new ProbeCode(plan, id, named, givesBack, isJdk, calls, locals);
    boolean isFollowed =
        snippets != null || LifetimeCode.isWanted(probes) || ObjectCode.isWanted(probes);
    this.constructor =
        isFollowed
            ? new Constructor(file.name(), file.majorVersion(), method, realInstructions())
            : null;
    this.snippets =
        snippets == null
            ? null
            : new SnippetCode(
                file,
                method,
                plan,
                realInstructions(),
                snippets,
                calls,
                locals,
                isJdk,
                constructor);
    this.lifetimes =
        LifetimeCode.isWanted(probes)
            ? new LifetimeCode(
                file, method, plan, realInstructions(), calls, locals, keys, constructor)
            : null;
  }

  void instrument() {
    HandlerGuards guards = new HandlerGuards(method, hasFrames);
    AbstractInsnNode[] instructions = realInstructions();
    LabelNode[] allocations = locals.adaptFrames(instructions);
    boolean[] handles = findHandlers(instructions);
    for (int i = 0; i < instructions.length; i++) {
      insertBefore(i, instructions[i], handles[i]);
      insertAfter(i, instructions[i]);
    }
    if (snippets != null) {
      snippets.insert(handles);
    }
    if (lifetimes != null) {
      lifetimes.insert(handles);
    }
    for (int i = 0; i < instructions.length; i++) {
      if (allocations[i] != null) {
        method.instructions.insertBefore(instructions[i], allocations[i]);
      }
    }
    watch(instructions);
    LabelNode start = new LabelNode();
    UseCode use = new UseCode(file, method, probes, probeCode, locals, calls);
    if (UseCode.isWanted(probes)) {
      use.insert(instructions);
      use.endOnException(start);
    }
    if (snippets != null) {
      snippets.afterThrowing(start);
    }
    if (givesBack && isCalledByTheVm()) {
      giveBackOnException(start);
    }
    enter(use, start);
    method.maxLocals += locals.size() + (snippets == null ? 0 : snippets.locals());
    method.maxStack += Math.max(STACK, snippets == null ? 0 : snippets.stack()) + mostHeld;
    guards.insert(snippets != null);
  }

  /** Inserts what follows objects and branches. */
  private void watch(AbstractInsnNode[] instructions) {
    if (ObjectCode.isWanted(probes)) {
      new ObjectCode(
              file, method, instructions, probes, probeCode, locals, keys, calls, constructor)
          .insert();
    }
    if (BranchWatch.isWanted(probes)) {
      BranchWatch watch = new BranchWatch(method, probes, probeCode);
      for (int k = 0; k < plan.branches().size(); k++) {
        watch.watch(instructions[plan.branches().get(k)], k);
      }
    }
  }

  /** Inserts what runs at entry; the method's own code begins at {@code start}. */
  private void enter(UseCode use, LabelNode start) {
    InsnList prologue = new Prologue(method, plan, id, calls, locals).code();
    for (Probe probe : probes) {
      probe.atEntry(probeCode.to(prologue));
    }
    use.begin(prologue);
    if (snippets != null) {
      prologue.add(snippets.entry());
    }
    if (lifetimes != null) {
      lifetimes.enter(prologue);
      lifetimes.replaceCalls();
    }
    if (snippets != null) {
      prologue.add(snippets.begin());
    }
    prologue.add(start);
    coverParameters(prologue);
    method.instructions.insert(prologue);
  }

  /** Has debuggers, which stop at a method's first instruction, find its parameters there. */
  private void coverParameters(InsnList prologue) {
    if (method.localVariables == null) {
      return;
    }
    LabelNode begin = new LabelNode();
    prologue.insert(begin);
    AbstractInsnNode first = CountingLocals.nextReal(method.instructions.getFirst());
    for (LocalVariableNode variable : method.localVariables) {
      if (CountingLocals.nextReal(variable.start) == first) {
        variable.start = begin;
      }
    }
  }

  private AbstractInsnNode[] realInstructions() {
    AbstractInsnNode[] found = Bodies.instructions(method);
    if (found.length != blocks.instructionCount()) {
      throw new IllegalStateException(
          file.name()
              + "."
              + method.name
              + ": "
              + found.length
              + " instructions read, "
              + blocks.instructionCount()
              + " in the class file");
    }
    return found;
  }

  private boolean[] findHandlers(AbstractInsnNode[] instructions) {
    boolean[] handles = new boolean[instructions.length];
    int[] places = InstructionPlaces.of(method.instructions, instructions);
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      AbstractInsnNode first = CountingLocals.nextReal(block.handler);
      handles[places[method.instructions.indexOf(first)]] = true;
    }
    return handles;
  }

  private void insertBefore(int i, AbstractInsnNode instruction, boolean handles) {
    InsnList code = new InsnList();
    int segment = plan.segmentOf(i);
    if (plan.segmentFirst(segment) == i && plan.segmentCounter(segment) >= 0) {
      counting.count(code, plan.segmentCounter(segment));
      for (Probe probe : probes) {
        probe.atSegment(probeCode.to(code), segment);
      }
    }
    if (handles) {
      enterHandler(code, i);
    }
    Site site = plan.siteAt(i);
    if (site != null) {
      probeCode.forgetHeld();
      for (Probe probe : probes) {
        probe.atCall(probeCode.to(code), i);
      }
      mostHeld = Math.max(mostHeld, probeCode.held());
      beforeCall(code, site, instruction);
    }
    int opcode = instruction.getOpcode();
    if (opcode >= IRETURN && opcode <= RETURN) {
      leave(code);
    }
    if (code.size() > 0) {
      method.instructions.insertBefore(instruction, code);
    }
  }

  private void enterHandler(InsnList code, int instruction) {
    if (plan.needsOwnSlot(instruction)) {
      counting.setSlot(code, 0);
    }
    for (Probe probe : probes) {
      probe.atHandler(probeCode.to(code), instruction);
    }
  }

  private void leave(InsnList code) {
    for (Probe probe : probes) {
      probe.atReturn(probeCode.to(code));
    }
    if (plan.isStandIn()) {
      code.add(locals.loadThread());
      probeCode.to(code).loadCallersSlot();
      code.add(calls.call(Entry.LEAVE));
    }
    if (givesBack) {
      counting.giveBack(code);
    }
  }

  private void beforeCall(InsnList code, Site site, AbstractInsnNode call) {
    switch (site.kind()) {
      case CALL -> {
        if (call instanceof MethodInsnNode named && isLoadClass(named.name, named.desc)) {
          resolveOwner(code, named.owner); // by a call of this name, too, which is the VM's
        }
        counting.setSlot(code, site.index());
      }
      case OPEN -> {
        code.add(new InsnNode(DUP));
        counting.setSlot(code, site.index());
      }
      case EITHER -> {
        code.add(locals.loadThread());
        code.add(calls.call(Entry.BEGIN));
        counting.setSlot(code, site.index());
      }
      case NATIVE -> enterNative(code, site, (MethodInsnNode) call);
      case LEAF -> {
        // A virtual leaf is counted when it has returned: with no receiver there is no call.
        if (!site.isDerived() && !Opcodes.isDispatched(call.getOpcode())) {
          counting.count(code, site.index());
        }
      }
    }
  }

  private void enterNative(InsnList code, Site site, MethodInsnNode call) {
    resolveOwner(code, call.owner);
    boolean mayBeNull =
        Opcodes.isDispatched(call.getOpcode()) && ReceiverCopy.push(code, call.desc);
    code.add(locals.loadThread());
    if (mayBeNull) {
      counting.addSlotAddress(code, 0);
    } else {
      code.add(locals.loadThread());
    }
    counting.addSlotAddress(code, site.index());
    code.add(Push.of(site.leaf().methodId()));
    if (mayBeNull) {
      code.add(calls.call(Entry.ENTER_NATIVE_OF));
      code.add(locals.loadThread());
      code.add(new InsnNode(DUP_X2));
      code.add(new InsnNode(POP));
    } else {
      code.add(calls.call(Entry.ENTER_NATIVE));
    }
    code.add(calls.setSlot());
  }

  /**
   * Has the VM ask the class's loader for the class that a call names now, if it must, from the
   * caller: from the call on, what the VM calls counts as the native's, or is taken for the call
   * itself. Inside the JDK no loader is asked.
   */
  private void resolveOwner(InsnList code, String name) {
    if (calls == Calls.THROUGH_OBJECT && hasClassConstants) {
      counting.setSlot(code, 0);
      code.add(new LdcInsnNode(Type.getObjectType(name)));
      code.add(new InsnNode(POP));
    }
  }

  private void insertAfter(int i, AbstractInsnNode instruction) {
    InsnList code = new InsnList();
    Site site = plan.siteAt(i);
    if (site != null) {
      afterCall(code, i, site, instruction);
    }
    int opcode = instruction.getOpcode();
    if (opcode == NEW || opcode == NEWARRAY || opcode == ANEWARRAY || opcode == MULTIANEWARRAY) {
      for (Probe probe : probes) {
        probe.atAllocation(probeCode.to(code), i);
      }
    } else if (instruction instanceof MethodInsnNode call && !call.desc.endsWith(")V")) {
      for (Probe probe : probes) {
        probe.atResult(probeCode.to(code), i);
      }
    }
    if (code.size() > 0) {
      method.instructions.insert(instruction, code);
    }
  }

  private void afterCall(InsnList code, int i, Site site, AbstractInsnNode instruction) {
    if (site.kind() != SiteKind.LEAF) {
      if (site.kind() == SiteKind.OPEN) {
        boolean isHash = site.leaf().name().equals("hashCode");
        for (Probe probe : probes) {
          if (isHash) {
            probe.atHash(probeCode.to(code), i);
          } else {
            probe.atClone(probeCode.to(code), i);
          }
        }
        code.add(locals.loadThread());
        counting.addSlotAddress(code, site.index());
        code.add(Push.of(site.leaf().methodId()));
        code.add(calls.call(isHash ? Entry.HASHED : Entry.CLONED));
      } else if (site.kind() == SiteKind.EITHER) {
        code.add(locals.loadThread());
        counting.addSlotAddress(code, site.index());
        code.add(Push.of(site.leaf().methodId()));
        code.add(calls.call(Entry.REACHED));
      }
      if (plan.needsOwnSlot(i + 1)) {
        counting.setSlot(code, 0);
      }
    } else if (!site.isDerived() && Opcodes.isDispatched(instruction.getOpcode())) {
      counting.count(code, site.index());
    }
  }

  /** Does the VM call this method from the middle of a frame, and go on if it throws? */
  private boolean isCalledByTheVm() {
    return method.name.equals("<clinit>") || isLoadClass(method.name, method.desc);
  }

  private static boolean isLoadClass(String name, String descriptor) {
    return name.equals("loadClass") && descriptor.startsWith("(Ljava/lang/String;");
  }

  private void giveBackOnException(LabelNode start) {
    LabelNode end = new LabelNode();
    InsnList code = new InsnList();
    code.add(end);
    if (hasFrames) {
      code.add(locals.handlerFrame());
    }
    counting.giveBack(code);
    code.add(new InsnNode(ATHROW));
    method.instructions.add(code);
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
  }
}
