package io.jvmscope.probe;

import io.jvmscope.classfile.LeafMethods.Leaf;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Site;
import io.jvmscope.classfile.MethodPlan.SiteKind;

/**
 * The calls that may return an identity hash code, but for virtual ones of hashCode, which {@code
 * CallingContext} follows. Behind them the code that the recording has lent an object becomes the
 * one that the program sees; so a copy of the object stays on the stack below the call.
 */
final class IdentityHashes {
  static final RuntimeMethod SEEN =
      new RuntimeMethod("jdk/internal/perf/LentHashes", "seenHash", "(Ljava/lang/Object;I)I");

  private IdentityHashes() {}

  /** Before a call. */
  static void atCall(Code code, int instruction) {
    if (mayBeAt(code.plan(), instruction)) {
      code.loadReceiver("()I");
    }
  }

  /** After a call, with what it returned on the stack. */
  static void atResult(Code code, int instruction) {
    if (mayBeAt(code.plan(), instruction)) {
      code.call(SEEN);
    }
  }

  private static boolean mayBeAt(MethodPlan plan, int instruction) {
    Site site = plan.siteAt(instruction);
    return isSuper(site) || leaf(site) != null;
  }

  /** Does a site call the hashCode of a superclass, which may be that of {@code Object}? */
  static boolean isSuper(Site site) {
    return site != null && site.kind() == SiteKind.EITHER && isOfObject(site.leaf());
  }

  /** The native that a site surely reaches which returns an identity hash code; else null. */
  static Leaf leaf(Site site) {
    boolean isSure = site != null && site.kind() != SiteKind.OPEN && site.kind() != SiteKind.EITHER;
    Leaf leaf = isSure ? site.leaf() : null;
    return leaf != null && (isIdentity(leaf) || isOfObject(leaf)) ? leaf : null;
  }

  static boolean isIdentity(Leaf leaf) {
    return leaf.owner().equals("java/lang/System") && leaf.name().equals("identityHashCode");
  }

  private static boolean isOfObject(Leaf leaf) {
    return leaf.owner().equals("java/lang/Object") && leaf.name().equals("hashCode");
  }
}
