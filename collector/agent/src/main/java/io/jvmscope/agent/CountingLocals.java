package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.LLOAD;
import static org.objectweb.asm.Opcodes.LSTORE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * The locals that a counting method has beside its own: the current thread, the node and, if it
 * gives it back, the caller's slot. They follow the method's own, so every stack map frame is
 * padded to the full number of those; no frame is computed anew.
 */
final class CountingLocals {
  /** Local variables that counting takes: a reference and two longs. */
  private static final int SIZE = 5;

  /** The same with the ones of {@link LifetimeCode}: a long and a reference. */
  private static final int WITH_FRAME = SIZE + 3;

  /** Those that it takes at most, with the number of {@link PlaceCode}. */
  static final int MOST = WITH_FRAME + 1;

  /** Local variables behind those, for what lives between two instructions and is in no frame. */
  static final int SCRATCH = 7;

  private final MethodNode method;
  private final int first;
  private final boolean keepsSlot;
  private final boolean keepsFrame;
  private final boolean keepsPlace;

  CountingLocals(MethodNode method, boolean keepsSlot, boolean keepsFrame, boolean keepsPlace) {
    this.method = method;
    this.first = method.maxLocals;
    this.keepsSlot = keepsSlot;
    this.keepsFrame = keepsFrame;
    this.keepsPlace = keepsPlace;
  }

  /** Local variables that it takes. */
  int size() {
    return place() + (keepsPlace ? 1 : 0);
  }

  private int place() {
    return keepsFrame ? WITH_FRAME : SIZE;
  }

  /** The first variable of the scratch. */
  int scratch() {
    return first + size();
  }

  /** The method's own variables and the scratch. */
  int withScratch() {
    return first + SCRATCH;
  }

  VarInsnNode loadThread() {
    return new VarInsnNode(ALOAD, first);
  }

  VarInsnNode storeThread() {
    return new VarInsnNode(ASTORE, first);
  }

  VarInsnNode loadNode() {
    return new VarInsnNode(LLOAD, first + 1);
  }

  VarInsnNode storeNode() {
    return new VarInsnNode(LSTORE, first + 1);
  }

  VarInsnNode loadSlot() {
    return new VarInsnNode(LLOAD, first + 3);
  }

  VarInsnNode storeSlot() {
    return new VarInsnNode(LSTORE, first + 3);
  }

  /** The frame of {@link LifetimeCode}. */
  VarInsnNode loadFrame() {
    return new VarInsnNode(LLOAD, first + SIZE);
  }

  VarInsnNode storeFrame() {
    return new VarInsnNode(LSTORE, first + SIZE);
  }

  /** A reference between two instructions; no frame has it. */
  VarInsnNode loadReference() {
    return new VarInsnNode(ALOAD, first + SIZE + 2);
  }

  VarInsnNode storeReference() {
    return new VarInsnNode(ASTORE, first + SIZE + 2);
  }

  /** The number of {@link PlaceCode}. */
  VarInsnNode loadPlace() {
    return new VarInsnNode(ILOAD, first + place());
  }

  VarInsnNode storePlace() {
    return new VarInsnNode(ISTORE, first + place());
  }

  /**
   * Adds the locals to the method's frames. Returns the label that each NEW named by a frame needs
   * right before it, by instruction, else null: an uninitialised type names its NEW, and counting
   * must not come between.
   */
  LabelNode[] adaptFrames(AbstractInsnNode[] instructions) {
    LabelNode[] allocations = new LabelNode[instructions.length];
    int[] places = InstructionPlaces.of(method.instructions, instructions);
    for (AbstractInsnNode i = method.instructions.getFirst(); i != null; i = i.getNext()) {
      if (i instanceof FrameNode frame) {
        int slots = 0;
        for (Object local : frame.local) {
          slots += local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1;
        }
        frame.local = moveLabels(frame.local, allocations, places);
        pad(frame.local, slots);
        frame.stack = moveLabels(frame.stack, allocations, places);
      }
    }
    return allocations;
  }

  private List<Object> moveLabels(List<Object> types, LabelNode[] allocations, int[] places) {
    List<Object> moved = new ArrayList<>();
    for (Object type : types) {
      if (type instanceof LabelNode label) {
        int allocation = places[method.instructions.indexOf(nextReal(label))];
        if (allocations[allocation] == null) {
          allocations[allocation] = new LabelNode();
        }
        moved.add(allocations[allocation]);
      } else {
        moved.add(type);
      }
    }
    return moved;
  }

  /**
   * The frame of a handler that knows nothing of the method's own locals, but for those given, of
   * one word each.
   */
  FrameNode handlerFrame(Object... own) {
    List<Object> locals = new ArrayList<>(Arrays.asList(own));
    pad(locals, own.length);
    Object[] stack = {"java/lang/Throwable"};
    return new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), 1, stack);
  }

  private void pad(List<Object> locals, int slots) {
    for (int k = slots; k < first; k++) {
      locals.add(Opcodes.TOP);
    }
    locals.add(Calls.THREAD);
    locals.add(Opcodes.LONG);
    if (keepsSlot) {
      locals.add(Opcodes.LONG);
    }
    if ((keepsFrame || keepsPlace) && !keepsSlot) {
      locals.add(Opcodes.TOP);
      locals.add(Opcodes.TOP);
    }
    if (keepsFrame) {
      locals.add(Opcodes.LONG);
    }
    if (keepsPlace) {
      if (keepsFrame) {
        locals.add(Opcodes.TOP);
      }
      locals.add(Opcodes.INTEGER);
    }
  }

  /** The instruction at or after a label, line or frame; null at the method's end. */
  static AbstractInsnNode nextReal(AbstractInsnNode from) {
    AbstractInsnNode at = from;
    while (at != null && at.getOpcode() < 0) {
      at = at.getNext();
    }
    return at;
  }
}
