package io.jvmscope.probe;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.LeafMethods.Leaf;
import io.jvmscope.classfile.MethodPlan.Site;

/**
 * How often objects are asked for their hash codes: by a hashCode of their class's own, by {@code
 * System.identityHashCode}, or by the hashCode of {@code Object}.
 */
final class HashCodes extends NamedProbe {
  private static final String RUNTIME = "jdk/internal/perf/HashProbe";
  private static final String OF_OBJECT = "(Ljava/lang/Object;Ljava/lang/Thread;J)V";
  private static final RuntimeMethod OWN = new RuntimeMethod(RUNTIME, "ownHash", OF_OBJECT);
  private static final RuntimeMethod IDENTITY =
      new RuntimeMethod(RUNTIME, "identityHash", OF_OBJECT);
  private static final RuntimeMethod DEFAULT = new RuntimeMethod(RUNTIME, "defaultHash", OF_OBJECT);
  private static final RuntimeMethod VIRTUAL =
      new RuntimeMethod(RUNTIME, "virtualHashed", "(Ljava/lang/Object;ILjava/lang/Thread;J)V");
  private static final RuntimeMethod SUPER =
      new RuntimeMethod(RUNTIME, "superHashed", "(Ljava/lang/Object;ILjava/lang/Thread;JI)I");
  private static final RuntimeMethod COPIED =
      new RuntimeMethod(
          RUNTIME, "copiedHash", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");
  private static final RuntimeMethod[] METHODS = {
    OWN, IDENTITY, DEFAULT, VIRTUAL, SUPER, COPIED, IdentityHashes.SEEN
  };
  private static final String[] WORDS = {"hash"};

  HashCodes() {
    super("hashcodes");
  }

  @Override
  public RuntimeMethod[] runtimeMethods() {
    return METHODS;
  }

  @Override
  public String[] words() {
    return WORDS;
  }

  @Override
  public boolean followsClones() {
    return true;
  }

  @Override
  public void atClone(Code code) {
    code.call(COPIED);
  }

  @Override
  public void atEntry(Code code) {
    if (isHashCode(code.plan().method())) {
      code.loadThis();
      call(code, OWN);
    }
  }

  private static boolean isHashCode(ClassFile.Method method) {
    return method.name().equals("hashCode")
        && method.descriptor().equals("()I")
        && !method.isStatic();
  }

  @Override
  public void atCall(Code code, int instruction) {
    IdentityHashes.atCall(code, instruction);
    Leaf leaf = IdentityHashes.leaf(code.plan().siteAt(instruction));
    if (leaf != null) {
      code.loadReceiver("()I"); // of identityHashCode its argument, which is alone, too
      call(code, IdentityHashes.isIdentity(leaf) ? IDENTITY : DEFAULT);
    }
  }

  @Override
  public void atHash(Code code, int instruction) {
    code.loadTwo();
    call(code, VIRTUAL);
  }

  @Override
  public void atResult(Code code, int instruction) {
    Site site = code.plan().siteAt(instruction);
    if (IdentityHashes.isSuper(site)) {
      code.loadThread();
      code.loadNode();
      code.pushSlot(site.index());
      code.call(SUPER);
    } else {
      IdentityHashes.atResult(code, instruction);
    }
  }

  private static void call(Code code, RuntimeMethod method) {
    code.loadThread();
    code.loadNode();
    code.call(method);
  }

  @Override
  public ProbeTables tables(Recording recording) {
    return () -> {
      new HashTables(recording).write();
      StatePlaces.writeFor(this, recording);
    };
  }
}
