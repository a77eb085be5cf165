package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.IF_ICMPNE;

import io.jvmscope.classfile.BasicBlocks;
import java.util.Arrays;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Runs snippets after instructions and basic blocks that threw. A handler cannot tell what threw,
 * so a local says where the method is: at an instruction that has such snippets, else in which
 * basic block. Each handler of the method, and one around it all, compares it with the places that
 * the handler is for.
 */
final class PlaceCode {
  /**
   * The snippets that run after something has thrown. No lambda: the program's VM would link it.
   */
  interface Throwing {
    /** Those of an instruction; empty: none. */
    InsnList ofInstruction(int k);

    /** Those of a basic block. */
    InsnList ofBlock(int block);
  }

  /** No place that has snippets. */
  private static final int NOWHERE = -1;

  private final CountingLocals locals;
  private final BasicBlocks blocks;
  private final boolean hasFrames;
  private final int thrownLocal;
  private final InsnList[] ofInstruction; // null: it has no snippets
  private final InsnList[] ofBlock; // likewise
  private final FrameNode[] frames; // of handlers, by their first instruction
  private final boolean[][] handled; // by the same, the instructions that may lead there

  /**
   * A method's, before anything is inserted into it.
   *
   * @param thrownLocal where snippets have the exception
   */
  PlaceCode(
      MethodNode method,
      BasicBlocks blocks,
      AbstractInsnNode[] instructions,
      CountingLocals locals,
      boolean hasFrames,
      int thrownLocal,
      Throwing throwing) {
    this.locals = locals;
    this.blocks = blocks;
    this.hasFrames = hasFrames;
    this.thrownLocal = thrownLocal;
    this.ofInstruction = new InsnList[instructions.length];
    for (int k = 0; k < instructions.length; k++) {
      ofInstruction[k] = orNull(throwing.ofInstruction(k));
    }
    this.ofBlock = new InsnList[blocks.count()];
    for (int block = 0; block < ofBlock.length; block++) {
      ofBlock[block] = orNull(throwing.ofBlock(block));
    }
    this.frames = new FrameNode[instructions.length];
    this.handled = new boolean[instructions.length][];
    findHandlers(method, instructions);
  }

  private static InsnList orNull(InsnList code) {
    return code.size() == 0 ? null : code;
  }

  private void findHandlers(MethodNode method, AbstractInsnNode[] instructions) {
    int[] places = InstructionPlaces.of(method.instructions, instructions);
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      int handler = numberAt(method, block.handler, places);
      boolean[] covered = handled[handler];
      handled[handler] = covered == null ? new boolean[instructions.length] : covered;
      int from = numberAt(method, block.start, places);
      int to = numberAt(method, block.end, places);
      Arrays.fill(handled[handler], from, to, true);
      for (AbstractInsnNode i = block.handler; i != instructions[handler]; i = i.getNext()) {
        frames[handler] = i instanceof FrameNode frame ? frame : frames[handler];
      }
    }
  }

  /** The number of the instruction at or after a label; that behind the last if there is none. */
  private int numberAt(MethodNode method, LabelNode label, int[] places) {
    AbstractInsnNode found = CountingLocals.nextReal(label);
    return found == null ? handled.length : places[method.instructions.indexOf(found)];
  }

  /** The method begins. */
  InsnList begin() {
    return set(NOWHERE);
  }

  /** A basic block begins. */
  InsnList beginBlock(int block) {
    return ofBlock[block] == null && !followsBlocks() ? new InsnList() : set(inBlock(block));
  }

  private boolean followsBlocks() {
    for (InsnList code : ofBlock) {
      if (code != null) {
        return true;
      }
    }
    return false;
  }

  private int inBlock(int block) {
    return ofBlock[block] == null ? NOWHERE : NOWHERE - 1 - block;
  }

  /** Does an instruction have snippets for when it throws? */
  boolean follows(int k) {
    return ofInstruction[k] != null;
  }

  /** An instruction that has them comes next. */
  InsnList before(int k) {
    return set(k);
  }

  /** It has not thrown. */
  InsnList after(int k) {
    return set(inBlock(blocks.blockOf(k)));
  }

  private InsnList set(int place) {
    InsnList code = new InsnList();
    code.add(Push.of(place));
    code.add(locals.storePlace());
    return code;
  }

  /** What a handler begins with, the exception on the stack. */
  InsnList inHandler(int handler) {
    InsnList code = new InsnList();
    compare(code, handled[handler], frames[handler]);
    if (code.size() > 0) {
      code.add(set(NOWHERE));
    }
    return code;
  }

  /**
   * The same at the end of a method, for what nothing in it caught.
   *
   * @param own the types of the method's own locals there
   */
  InsnList atEnd(boolean[] covered, Object... own) {
    InsnList code = new InsnList();
    compare(code, covered, locals.handlerFrame(own));
    return code;
  }

  private void compare(InsnList code, boolean[] covered, FrameNode frame) {
    boolean[] isMet = new boolean[ofBlock.length];
    for (int k = 0; k < covered.length; k++) {
      int block = blocks.blockOf(k);
      if (covered[k] && ofInstruction[k] != null) {
        InsnList both = Bodies.copy(ofInstruction[k]);
        if (ofBlock[block] != null) {
          both.add(Bodies.copy(ofBlock[block]));
        }
        compare(code, k, both, frame);
      }
      if (covered[k] && ofBlock[block] != null && !isMet[block]) {
        isMet[block] = true;
        compare(code, inBlock(block), Bodies.copy(ofBlock[block]), frame);
      }
    }
  }

  private void compare(InsnList code, int place, InsnList snippets, FrameNode frame) {
    LabelNode next = new LabelNode();
    code.add(locals.loadPlace());
    code.add(Push.of(place));
    code.add(new JumpInsnNode(IF_ICMPNE, next));
    code.add(new InsnNode(DUP));
    code.add(new VarInsnNode(ASTORE, thrownLocal));
    code.add(snippets);
    code.add(next);
    if (hasFrames) {
      Object[] types = frame.local.toArray();
      Object[] stack = frame.stack.toArray();
      code.add(new FrameNode(Opcodes.F_NEW, types.length, types, stack.length, stack));
    }
  }
}
