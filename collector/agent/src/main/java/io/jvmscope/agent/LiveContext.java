package io.jvmscope.agent;

import static jdk.internal.perf.ArenaLayout.COUNTERS;
import static jdk.internal.perf.ArenaLayout.NEXT;
import static jdk.internal.perf.ArenaLayout.TABLE;
import static jdk.internal.perf.ArenaLayout.TABLE_CAPACITY;
import static jdk.internal.perf.ArenaLayout.TABLE_LINKS;

import io.jvmscope.agent.LivePlans.Live;
import io.jvmscope.classfile.LeafMethods.Leaf;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Site;
import io.jvmscope.classfile.MethodPlan.SiteKind;
import io.jvmscope.consumer.TreeNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A context that is read from the arena while its thread stands still. */
final class LiveContext implements TreeNode {
  private final LivePlans plans;
  private final TreeNode parent;
  private final long node;
  private final Live method; // null for a root

  private LiveContext(LivePlans plans, TreeNode parent, long node, Live method) {
    this.plans = plans;
    this.parent = parent;
    this.node = node;
    this.method = method;
  }

  /** The root of a tree. */
  static LiveContext root(LivePlans plans, long address) {
    return new LiveContext(plans, null, address, null);
  }

  /** A leaf that is counted at its call site. */
  private record LeafContext(TreeNode parent, Leaf leaf, long calls) implements TreeNode {
    @Override
    public String className() {
      return leaf.owner();
    }

    @Override
    public String methodName() {
      return leaf.name();
    }

    @Override
    public String descriptor() {
      return leaf.descriptor();
    }

    @Override
    public long bytecodes() {
      return 0;
    }

    @Override
    public List<TreeNode> children() {
      return List.of();
    }
  }

  @Override
  public TreeNode parent() {
    return parent;
  }

  @Override
  public String className() {
    return method == null ? null : method.className();
  }

  @Override
  public String methodName() {
    return method == null ? null : method.name();
  }

  @Override
  public String descriptor() {
    return method == null ? null : method.descriptor();
  }

  @Override
  public long calls() {
    return method == null ? 0 : counter(0);
  }

  @Override
  public long bytecodes() {
    MethodPlan plan = method == null ? null : method.plan();
    long total = 0;
    for (int s = 0; plan != null && s < plan.segmentCount(); s++) {
      if (plan.segmentCounter(s) >= 0) {
        total += counter(plan.segmentCounter(s)) * plan.segmentLength(s);
      }
    }
    return total;
  }

  @Override
  public List<TreeNode> children() {
    List<TreeNode> found = new ArrayList<>();
    try {
      addSlot(found, 0);
      MethodPlan plan = method == null ? null : method.plan();
      if (plan != null) {
        for (Site site : plan.sites()) {
          if (site.kind() != SiteKind.LEAF) {
            addSlot(found, site.index());
          } else if (counter(site.index()) > 0) {
            found.add(new LeafContext(this, site.leaf(), counter(site.index())));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private long counter(int k) {
    return CallingContext.longAt(node + COUNTERS + 8L * k);
  }

  private void addSlot(List<TreeNode> found, int slot) throws IOException {
    long head = CallingContext.linked(node - 4L * (slot + 1));
    if (head != 0L && CallingContext.intAt(head) == TABLE) {
      int capacity = CallingContext.intAt(head + TABLE_CAPACITY);
      for (int k = 0; k < capacity; k++) {
        add(found, CallingContext.linked(head + TABLE_LINKS + 4L * k));
      }
      return;
    }
    for (long child = head; child != 0L; child = CallingContext.linked(child + NEXT)) {
      add(found, child);
    }
  }

  /** Adds a child that is a node; others, as the proxies of folded calls, are no contexts. */
  private void add(List<TreeNode> found, long child) throws IOException {
    int id = child == 0L ? -1 : CallingContext.intAt(child);
    Live called = id < 0 ? null : plans.of(id);
    if (called != null) {
      found.add(new LiveContext(plans, this, child, called));
    }
  }
}
