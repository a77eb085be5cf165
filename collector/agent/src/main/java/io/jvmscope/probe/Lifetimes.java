package io.jvmscope.probe;

import io.jvmscope.classfile.AllocationSite;
import io.jvmscope.classfile.MethodPlan;
import java.io.IOException;

/**
 * Follows references, to find out how long each object can be reached. What is inserted needs the
 * types of a method's instructions, and is in {@code LifetimeCode}.
 */
public final class Lifetimes extends NamedProbe {
  private static final String RUNTIME = "jdk/internal/perf/LifetimeProbe";

  public static final RuntimeMethod ENTER = method("enterFrame", "(Ljava/lang/Thread;JI)J");
  public static final RuntimeMethod LEAVE = method("leaveFrame", "(Ljava/lang/Thread;J)V");
  public static final RuntimeMethod CAUGHT = method("caughtInFrame", "(Ljava/lang/Thread;JI)V");
  public static final RuntimeMethod FRAMES_END = method("framesEnd", "(Ljava/lang/Thread;)J");
  public static final RuntimeMethod CAUGHT_ABOVE = method("caughtAbove", "(Ljava/lang/Thread;J)V");
  public static final RuntimeMethod HOLD = method("hold", "(Ljava/lang/Object;JI)V");
  public static final RuntimeMethod DROP = method("drop", "(JI)V");
  public static final RuntimeMethod COPY_WORD = method("copyWord", "(JII)V");
  public static final RuntimeMethod SWAP_WORDS = method("swapWords", "(JII)V");
  public static final RuntimeMethod NEW = method("madeNew", "(JJII)V");
  public static final RuntimeMethod CONSTRUCTING = method("constructingNew", "(JII)V");
  public static final RuntimeMethod DELEGATING = method("delegating", "(JI)V");
  public static final RuntimeMethod RECEIVE = method("receive", "(J)V");
  public static final RuntimeMethod BORN = method("bornNew", "(Ljava/lang/Object;JJI)V");
  public static final RuntimeMethod CONSTRUCTED =
      method("constructedNew", "(Ljava/lang/Object;JI)V");
  public static final RuntimeMethod ENTERED_UNSEEN =
      method("enteredUnseen", "(Ljava/lang/Thread;)V");
  public static final RuntimeMethod DELEGATING_UNSEEN =
      method("delegatingUnseen", "(Ljava/lang/Thread;)V");
  public static final RuntimeMethod BORN_UNSEEN =
      method("bornUnseen", "(Ljava/lang/Object;Ljava/lang/Thread;)V");
  public static final RuntimeMethod ARRAY = method("newArray", "(Ljava/lang/Object;JII)V");
  public static final RuntimeMethod OBJECT = method("newObject", "(Ljava/lang/Object;JI)V");
  public static final RuntimeMethod CLONE =
      method("newClone", "(Ljava/lang/Object;Ljava/lang/Object;JI)Ljava/lang/Object;");
  public static final RuntimeMethod STORED =
      method("stored", "(Ljava/lang/Object;Ljava/lang/Object;JI)V");
  public static final RuntimeMethod REFERENT =
      method("storedReferent", "(Ljava/lang/Object;Ljava/lang/Object;JI)V");
  public static final RuntimeMethod ELEMENT =
      method("storedElement", "(Ljava/lang/Object;ILjava/lang/Object;J)V");
  public static final RuntimeMethod STATIC =
      method("storedStatic", "(Ljava/lang/Object;Ljava/lang/Object;J)V");
  public static final RuntimeMethod KEPT = method("keptByVm", "(Ljava/lang/Object;)V");
  public static final RuntimeMethod COPY =
      method("copyArray", "(Ljava/lang/Object;ILjava/lang/Object;IIJ)V");
  public static final RuntimeMethod SET =
      method("setElement", "(Ljava/lang/Object;ILjava/lang/Object;J)V");

  private static final String UNSAFE = "(Ljdk/internal/misc/Unsafe;Ljava/lang/Object;J";
  private static final String ONE = "Ljava/lang/Object;J)";
  private static final String TWO = "Ljava/lang/Object;Ljava/lang/Object;J)";
  public static final RuntimeMethod PUT = method("putReference", UNSAFE + ONE + "V");
  public static final RuntimeMethod SWAP =
      method("swapReference", UNSAFE + ONE + "Ljava/lang/Object;");
  public static final RuntimeMethod REPLACE = method("replaceReference", UNSAFE + TWO + "Z");
  public static final RuntimeMethod EXCHANGE =
      method("exchangeReference", UNSAFE + TWO + "Ljava/lang/Object;");

  private static final RuntimeMethod[] METHODS = {
    ENTER,
    LEAVE,
    CAUGHT,
    FRAMES_END,
    CAUGHT_ABOVE,
    HOLD,
    DROP,
    COPY_WORD,
    SWAP_WORDS,
    NEW,
    CONSTRUCTING,
    DELEGATING,
    RECEIVE,
    BORN,
    CONSTRUCTED,
    ENTERED_UNSEEN,
    DELEGATING_UNSEEN,
    BORN_UNSEEN,
    ARRAY,
    OBJECT,
    CLONE,
    STORED,
    REFERENT,
    ELEMENT,
    STATIC,
    KEPT,
    COPY,
    SET,
    IdentityHashes.SEEN,
    PUT,
    SWAP,
    REPLACE,
    EXCHANGE,
  };

  /** Numbers that {@link #pack} writes for a site. */
  static final int SITE_INTS = 3;

  Lifetimes() {
    super("lifetimes");
  }

  private static RuntimeMethod method(String name, String descriptor) {
    return new RuntimeMethod(RUNTIME, name, descriptor);
  }

  @Override
  public RuntimeMethod[] runtimeMethods() {
    return METHODS;
  }

  @Override
  public boolean followsReferences() {
    return true;
  }

  @Override
  public void atCall(Code code, int instruction) {
    IdentityHashes.atCall(code, instruction);
  }

  @Override
  public void atResult(Code code, int instruction) {
    IdentityHashes.atResult(code, instruction);
  }

  /** How many elements of an array, as a power of two, make a unit: see {@link Allocations}. */
  public static int elementsShift(AllocationSite site) {
    return Allocations.elementsShift(site.type(), 1);
  }

  /** Of each site the key of its instruction, its kind, and its type if that is known. */
  @Override
  public int[] pack(MethodPlan plan, FirstKeys keys) {
    int[] share = new int[SITE_INTS * plan.allocations().size()];
    int at = 0;
    for (AllocationSite site : plan.allocations()) {
      share[at] = keys.instruction() + site.instruction();
      share[at + 1] = site.kind().ordinal();
      share[at + 2] = site.type() == null ? -1 : keys.types().applyAsInt(site.type());
      at += SITE_INTS;
    }
    return share;
  }

  @Override
  public ProbeTables tables(Recording recording) throws IOException {
    return new LifetimeTables(recording, this);
  }
}
