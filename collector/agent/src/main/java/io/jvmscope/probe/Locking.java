package io.jvmscope.probe;

import io.jvmscope.classfile.LeafMethods.Leaf;
import io.jvmscope.classfile.MethodPlan.Site;
import io.jvmscope.probe.StateCounts.InState;

/** Which objects are locked, how often and how deep, and by one thread or several. */
final class Locking extends NamedProbe {
  private static final String RUNTIME = "jdk/internal/perf/LockProbe";
  private static final String OF_OBJECT = "(Ljava/lang/Object;Ljava/lang/Thread;J)V";
  private static final RuntimeMethod ENTER_BLOCK =
      new RuntimeMethod(RUNTIME, "enterBlock", OF_OBJECT);
  private static final RuntimeMethod LEAVE_BLOCK =
      new RuntimeMethod(RUNTIME, "leaveBlock", OF_OBJECT);
  private static final RuntimeMethod ENTER_METHOD =
      new RuntimeMethod(RUNTIME, "enterMethod", OF_OBJECT);
  private static final RuntimeMethod LEAVE_METHOD =
      new RuntimeMethod(RUNTIME, "leaveMethod", "(Ljava/lang/Thread;J)V");
  private static final RuntimeMethod WAIT = new RuntimeMethod(RUNTIME, "waitFor", OF_OBJECT);
  private static final RuntimeMethod NOTIFY = new RuntimeMethod(RUNTIME, "notifyOf", OF_OBJECT);
  private static final RuntimeMethod COPIED =
      new RuntimeMethod(
          RUNTIME, "copiedLock", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");
  private static final RuntimeMethod[] METHODS = {
    ENTER_BLOCK, LEAVE_BLOCK, ENTER_METHOD, LEAVE_METHOD, WAIT, NOTIFY, COPIED
  };
  // Of an object whose fields are followed, too.
  private static final int LOCKED = 1 << 6;
  private static final int IMMUTABLE = Immutability.ALL_IMMUTABLE;
  private static final int SHARED = Sharing.READ | Sharing.WRITE;

  private static final String[] WORDS = {"lock"};

  Locking() {
    super("locking");
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
  public boolean followsMonitors() {
    return true;
  }

  @Override
  public void atClone(Code code) {
    code.call(COPIED);
  }

  @Override
  public void atMonitor(Code code, boolean enters) {
    call(code, enters ? ENTER_BLOCK : LEAVE_BLOCK);
  }

  @Override
  public void atSynchronized(Code code) {
    call(code, ENTER_METHOD);
  }

  @Override
  public void atSynchronizedEnd(Code code) {
    call(code, LEAVE_METHOD);
  }

  /** All forms of wait end in one native; which one depends on the release. */
  @Override
  public void atCall(Code code, int instruction) {
    IdentityHashes.atCall(code, instruction);
    Site site = code.plan().siteAt(instruction);
    Leaf leaf = site == null ? null : site.leaf();
    if (leaf == null || !leaf.owner().equals("java/lang/Object")) {
      return;
    }
    switch (leaf.name()) {
      case "wait", "wait0" -> {
        code.loadReceiver(leaf.descriptor());
        call(code, WAIT);
      }
      case "notify", "notifyAll" -> {
        code.loadReceiver(leaf.descriptor());
        call(code, NOTIFY);
      }
      default -> {}
    }
  }

  @Override
  public void atResult(Code code, int instruction) {
    IdentityHashes.atResult(code, instruction);
  }

  private static void call(Code code, RuntimeMethod method) {
    code.loadThread();
    code.loadNode();
    code.call(method);
  }

  @Override
  public ProbeTables tables(Recording recording) {
    return () -> {
      new LockingTables(recording).write();
      if (recording.followsFields()) {
        StateCounts.writeClasses(
            recording,
            "needless_lock",
            new InState("n_locked", LOCKED, LOCKED),
            new InState("n_immutable", LOCKED | Immutability.KIND, LOCKED | IMMUTABLE),
            new InState("n_unshared", LOCKED | SHARED, LOCKED),
            new InState(
                "n_immutable_unshared", LOCKED | SHARED | Immutability.KIND, LOCKED | IMMUTABLE));
      }
    };
  }
}
