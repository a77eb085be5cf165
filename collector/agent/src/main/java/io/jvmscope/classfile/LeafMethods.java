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
   * @param inheritance by which names of classes a call may reach it
   */
  record Leaf(
      String owner,
      String name,
      String descriptor,
      int methodId,
      boolean upcalls,
      Inheritance inheritance) {
    /** The constructor of {@code Object}: cannot fail, and needs no resolution. */
    boolean isObjectConstructor() {
      return name.equals("<init>");
    }

    /** Can the call itself neither fail nor initialise a class? */
    boolean isSilent() {
      return isObjectConstructor() || name.equals("currentThread");
    }
  }

  /** How classes outside the JDK may have a leaf, or calls reach it by the name of one above. */
  enum Inheritance {
    /** Not at all: it is private, or its class is closed to them. */
    NONE,
    /** A static method, which a call of a subclass's name reaches unless that one hides it. */
    STATIC,
    /** An instance method that is final. */
    FINAL,
    /** One that they may override. */
    OVERRIDABLE,
    /** One that overrides a method of a class of the JDK that is no leaf. */
    OVERRIDING
  }

  /**
   * The leaf that an invoke instruction may reach, unless a method with a body is selected in its
   * place: one that overrides or hides it. Null if there is none, or it is surely reached.
   */
  default Leaf findOpen(int opcode, String owner, String name, String descriptor) {
    return null;
  }

  /** May a method with a body be selected in the place of a leaf that {@link #findOpen} finds? */
  default boolean isStandIn(String name, String descriptor) {
    return false;
  }

  /** The leaf that an invoke instruction surely reaches; null if it may reach anything else. */
  Leaf find(int opcode, String owner, String name, String descriptor);
}
