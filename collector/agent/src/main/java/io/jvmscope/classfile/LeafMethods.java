package io.jvmscope.classfile;

/**
 * The methods of the JDK whose calls are counted where they are made, because their bodies cannot
 * be instrumented: native methods, methods that the VM replaces even in its interpreter, and the
 * few that run before a current thread exists.
 */
public interface LeafMethods {
  /** Knows no leaf: every call is expected to reach an instrumented body. */
  LeafMethods NONE =
      new LeafMethods() { // a lambda would have the VM link one in the program's place
        @Override
        public Leaf find(int opcode, String owner, String name, String descriptor) {
          return null;
        }
      };

  /**
   * A method that is counted at its call sites.
   *
   * @param owner the class that declares it
   * @param methodId its id in the prepared JDK
   * @param upcalls whether the VM or native code may call Java from inside it; if so a call enters
   *     a node of its own, below which the upcalls hang
   */
  record Leaf(String owner, String name, String descriptor, int methodId, boolean upcalls) {
    /** The constructor of {@code Object}: cannot fail, and needs no resolution. */
    boolean isObjectConstructor() {
      return name.equals("<init>");
    }

    /** Can the call itself neither fail nor initialise a class? */
    boolean isSilent() {
      return isObjectConstructor() || name.equals("currentThread");
    }
  }

  /**
   * The native of {@code Object} that a virtual call of this name reaches where no class overrides
   * it, which the receiver's class tells: hashCode or clone. Null for all others.
   */
  default Leaf findOpen(String name, String descriptor) {
    return null;
  }

  /** The leaf that an invoke instruction surely reaches; null if it may reach anything else. */
  Leaf find(int opcode, String owner, String name, String descriptor);
}
