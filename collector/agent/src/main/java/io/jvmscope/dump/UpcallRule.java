package io.jvmscope.dump;

import io.jvmscope.arena.Methods;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells calls from upcalls. While a call site is active the VM itself may call Java: to load or
 * initialise a class, to link, to construct an exception. Such a callee hangs below the site's
 * slot, but the site did not call it. Neither did it call what an uninstrumented method calls that
 * it called.
 *
 * <p>A callee is a call if its name and descriptor are those that the site names, and, where the
 * site binds statically, its class is the named one or, of methods that are inherited, above it. A
 * dynamic site may reach any method but the linker's entry points, and constructors only if it is
 * {@code linkToSpecial}. {@code <clinit>} and {@code loadClass} called from a dynamic site are
 * always the VM's.
 */
final class UpcallRule {
  private final Methods methods;
  private final ClassHierarchy hierarchy;
  private final Map<Long, Boolean> known = new HashMap<>();

  UpcallRule(Methods methods, ClassHierarchy hierarchy) {
    this.methods = methods;
    this.hierarchy = hierarchy;
  }

  /** Did the site at an index of the packed layouts call the method with the agent's number? */
  boolean isCall(int site, int number) {
    int[] packed = methods.packed();
    int owner = packed[site + 3];
    if ((owner & Methods.DYNAMIC) != 0) {
      boolean mayBeCall = (owner & Methods.CONSTRUCTS) != 0 || !methods.isConstructor(number);
      return mayBeCall && !methods.isAlwaysUpcall(number);
    }
    if (packed[site + 2] != methods.symbol(number)) {
      return false;
    }
    int called = methods.owner(number);
    if ((owner & Methods.CONSTRUCTS) != 0) { // none is inherited
      return hierarchy.hasName(called, owner >> Methods.OWNER_SHIFT);
    }
    return (owner & Methods.BOUND) == 0 || mayBind(owner >> Methods.OWNER_SHIFT, called);
  }

  /**
   * Did the constructor that the site calls in turn call this one? A class that is not instrumented
   * leaves no node between the two.
   */
  boolean isOfSuperclass(int site, int number) {
    int owner = methods.packed()[site + 3];
    return (owner & Methods.CONSTRUCTS) != 0
        && methods.isConstructor(number)
        && hierarchy.isAbove(methods.owner(number), owner >> Methods.OWNER_SHIFT);
  }

  /**
   * Is the class of a constructor nearer to the one that the site names than that of another? Both
   * are above it.
   */
  boolean isNearer(int number, int other) {
    return hierarchy.isBelow(methods.owner(number), methods.owner(other));
  }

  private boolean mayBind(int ownerName, int calleeClass) {
    if (hierarchy.hasName(calleeClass, ownerName)) {
      return true;
    }
    long key = (long) ownerName << 32 | calleeClass;
    Boolean found = known.get(key);
    if (found == null) {
      found = hierarchy.isAbove(calleeClass, ownerName);
      known.put(key, found);
    }
    return found;
  }
}
