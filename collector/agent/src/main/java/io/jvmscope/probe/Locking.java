package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.FLAGS;
import static jdk.internal.perf.ArenaLayout.SAW_CONTENTION;

import io.jvmscope.classfile.LeafMethods.Leaf;
import io.jvmscope.classfile.MethodPlan;
import io.jvmscope.classfile.MethodPlan.Site;
import io.jvmscope.probe.StateCounts.InState;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import java.io.IOException;
import java.util.Arrays;

/** Which objects are locked, how often and how deep, and by one thread or several. */
final class Locking extends NamedProbe {
  private static final String RUNTIME = "jdk/internal/perf/LockProbe";
  private static final String OF_OBJECT = "(Ljava/lang/Object;Ljava/lang/Thread;J)V";
  private static final String OF_ENTRY = "(Ljava/lang/Object;Ljava/lang/Thread;JI)V";
  private static final RuntimeMethod ENTER_BLOCK =
      new RuntimeMethod(RUNTIME, "enterBlock", OF_ENTRY);
  private static final RuntimeMethod LEAVE_BLOCK =
      new RuntimeMethod(RUNTIME, "leaveBlock", OF_OBJECT);
  private static final RuntimeMethod ENTER_METHOD =
      new RuntimeMethod(RUNTIME, "enterMethod", OF_ENTRY);
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

  private static final int SYNCHRONIZED = 0x20;
  private static final int MONITORENTER = 0xC2;

  /** In the place of an instruction: a synchronized method. */
  static final int METHOD = -1;

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

  /** A slot for each place that enters monitors, with its contended entries by class. */
  @Override
  public int slots(MethodPlan plan) {
    return placesOf(plan).length;
  }

  /** The instructions that enter monitors; before them {@link #METHOD} of synchronized ones. */
  private static int[] placesOf(MethodPlan plan) {
    int[] places = new int[1 + plan.blocks().instructionCount()];
    int n = 0;
    if ((plan.method().access() & SYNCHRONIZED) != 0) {
      places[n++] = METHOD;
    }
    for (int k = 0; k < plan.blocks().instructionCount(); k++) {
      if (plan.blocks().opcode(k) == MONITORENTER) {
        places[n++] = k;
      }
    }
    return Arrays.copyOf(places, n);
  }

  @Override
  public void atMonitor(Code code, int instruction, boolean enters) {
    if (enters) {
      enter(code, ENTER_BLOCK, instruction);
    } else {
      call(code, LEAVE_BLOCK);
    }
  }

  @Override
  public void atSynchronized(Code code) {
    enter(code, ENTER_METHOD, METHOD);
  }

  private void enter(Code code, RuntimeMethod method, int place) {
    int k = Arrays.binarySearch(placesOf(code.plan()), place);
    code.loadThread();
    code.loadNode();
    code.pushSlot(code.plan().slotOf(this) + k);
    code.call(method);
  }

  /** The first slot, then the keys of the instructions; {@link #METHOD}: the method itself. */
  @Override
  public int[] pack(MethodPlan plan, FirstKeys keys) {
    int[] places = placesOf(plan);
    if (places.length == 0) {
      return NOTHING;
    }
    int[] share = new int[1 + places.length];
    share[0] = plan.slotOf(this);
    for (int k = 0; k < places.length; k++) {
      share[1 + k] = places[k] == METHOD ? METHOD : keys.instruction() + places[k];
    }
    return share;
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
  public ProbeTables tables(Recording recording) throws IOException {
    if ((recording.arena().getInt(FLAGS) & SAW_CONTENTION) == 0) {
      return () -> writeObjects(recording);
    }
    PlaceCountTable contention =
        new PlaceCountTable(
            recording,
            this,
            "contended_entry",
            new Int32Column("instruction_id"),
            new Int64Column("n_entries"),
            true);
    return new ProbeTables() {
      @Override
      public void write(ContextNode node) throws IOException {
        contention.write(node);
      }

      @Override
      public void finish() throws IOException {
        contention.finish();
        writeObjects(recording);
      }
    };
  }

  private void writeObjects(Recording recording) throws IOException {
    new LockingTables(recording).write();
    StatePlaces.writeFor(this, recording);
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
  }
}
