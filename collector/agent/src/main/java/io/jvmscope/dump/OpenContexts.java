package io.jvmscope.dump;

import java.util.Arrays;

/**
 * The contexts from a thread's root down to the one being written, by depth, and for each method
 * the deepest of its contexts among them.
 */
final class OpenContexts {
  private static final int NONE = -1;

  // by depth; package-private, since the walk reads and writes them at each step
  int[] link = new int[1024];
  int[] id = new int[1024];
  int[] method = new int[1024]; // canonical; -1 for a root
  int[] site = new int[1024]; // next site of the packed layout
  int[] sibling = new int[1024]; // link of the next child to write
  int[] childSite = new int[1024]; // call site of the children being written
  boolean[] isDispatched = new boolean[1024]; // are those children called by receiver's class?
  private int[] shadowed = new int[1024]; // depth of the same method's context above
  private final int[] deepest; // by method
  private int depth;

  OpenContexts(int methods) {
    deepest = new int[methods];
    Arrays.fill(deepest, NONE);
  }

  /** Number of open contexts. */
  int depth() {
    return depth;
  }

  /** Opens a context. */
  void push(int newLink, int newId, int newMethod) {
    if (depth == link.length) {
      grow();
    }
    link[depth] = newLink;
    id[depth] = newId;
    method[depth] = newMethod;
    if (newMethod >= 0) {
      shadowed[depth] = deepest[newMethod];
      deepest[newMethod] = depth;
    }
    depth++;
  }

  private void grow() {
    link = Arrays.copyOf(link, 2 * depth);
    id = Arrays.copyOf(id, 2 * depth);
    method = Arrays.copyOf(method, 2 * depth);
    site = Arrays.copyOf(site, 2 * depth);
    sibling = Arrays.copyOf(sibling, 2 * depth);
    childSite = Arrays.copyOf(childSite, 2 * depth);
    isDispatched = Arrays.copyOf(isDispatched, 2 * depth);
    shadowed = Arrays.copyOf(shadowed, 2 * depth);
  }

  /** Closes the deepest context. */
  void pop() {
    depth--;
    if (method[depth] >= 0) {
      deepest[method[depth]] = shadowed[depth];
    }
  }

  /** The nearest open context of a method; -1 if there is none. */
  int nearest(int methodId) {
    int at = deepest[methodId];
    return at == NONE ? NONE : id[at];
  }

  /** The open context of a method that a node stands for; -1 if there is none. */
  int find(int methodId, int nodeLink) {
    int at = deepest[methodId];
    while (at != NONE && link[at] != nodeLink) {
      at = shadowed[at];
    }
    return at == NONE ? NONE : id[at];
  }
}
