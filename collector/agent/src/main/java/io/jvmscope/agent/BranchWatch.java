package io.jvmscope.agent;

import io.jvmscope.probe.Probe;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * Has branches tell probes which way they go: each way leads over a stretch of code of its own, at
 * the method's end. Ways are numbered from 1; those of a switch that lead to one place are one way.
 */
final class BranchWatch {
  private final MethodNode method;
  private final Probe[] probes;
  private final ProbeCode probeCode;

  /** Where the ways of a branch lead, and what is in the way. No map: see InstructionPlaces. */
  private static final class Detours {
    private final List<LabelNode> targets = new ArrayList<>();
    private final List<LabelNode> detours = new ArrayList<>();

    /** The detour to a label; null if there is none yet. */
    LabelNode find(LabelNode target) {
      for (int k = 0; k < targets.size(); k++) {
        if (targets.get(k) == target) {
          return detours.get(k);
        }
      }
      return null;
    }

    void add(LabelNode target, LabelNode detour) {
      targets.add(target);
      detours.add(detour);
    }
  }

  BranchWatch(MethodNode method, Probe[] probes, ProbeCode probeCode) {
    this.method = method;
    this.probes = probes;
    this.probeCode = probeCode;
  }

  /** Is there a probe that wants to know? */
  static boolean isWanted(Probe[] probes) {
    boolean isWanted = false;
    for (Probe probe : probes) {
      isWanted |= probe.followsBranches();
    }
    return isWanted;
  }

  /** Watches a branch, by its number in the plan. */
  void watch(AbstractInsnNode branch, int number) {
    Detours detours = new Detours();
    if (branch instanceof JumpInsnNode jump) {
      InsnList stays = new InsnList();
      tell(stays, number, 1);
      method.instructions.insert(jump, stays);
      jump.label = detour(jump.label, number, 2, detours);
    } else if (branch instanceof TableSwitchInsnNode table) {
      table.dflt = detour(table.dflt, number, 1, detours);
      detourAll(table.labels, number, detours);
    } else if (branch instanceof LookupSwitchInsnNode lookup) {
      lookup.dflt = detour(lookup.dflt, number, 1, detours);
      detourAll(lookup.labels, number, detours);
    }
  }

  private void detourAll(List<LabelNode> labels, int number, Detours detours) {
    for (int k = 0; k < labels.size(); k++) {
      labels.set(k, detour(labels.get(k), number, k + 2, detours));
    }
  }

  /** A stretch at the method's end that tells of a way and jumps on to where it led. */
  private LabelNode detour(LabelNode to, int number, int way, Detours detours) {
    LabelNode known = detours.find(to);
    if (known != null) {
      return known;
    }
    LabelNode from = new LabelNode();
    detours.add(to, from);
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
    tell(code, number, way);
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

  private void tell(InsnList code, int number, int way) {
    for (Probe probe : probes) {
      probe.atBranch(probeCode.to(code), number, way);
    }
  }
}
