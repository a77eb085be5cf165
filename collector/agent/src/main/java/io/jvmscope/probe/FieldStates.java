package io.jvmscope.probe;

import io.jvmscope.classfile.AllocationSite;
import io.jvmscope.classfile.AllocationSite.Kind;
import java.util.List;
import java.util.Map;

/**
 * Follows the state of each field of each object, for the probes {@code immutability}, {@code
 * sharing} and {@code zeroing}: they need the same code, and each writes its tables.
 */
final class FieldStates implements Probe {
  static final List<String> NAMES = List.of("immutability", "sharing", "zeroing");

  private static final String[] WORDS = {"birth", "counts"};
  private static final String FIELDS = "jdk/internal/perf/FieldProbe";
  private static final String OFFSETS = "jdk/internal/perf/OffsetProbe";
  private static final String OBJECTS = "jdk/internal/perf/ObjectProbe";
  private static final String ACCESS = "(Ljava/lang/Object;Ljava/lang/Thread;JI)V";
  private static final String VARIABLE = "Ljava/lang/Object;JLjava/lang/Thread;J)V";
  private static final String NAMED = "(Ljava/lang/Object;Ljava/lang/Class;)V";
  private static final String NUMBERED = "(Ljava/lang/Object;I)V";

  private static final RuntimeMethod READING = new RuntimeMethod(FIELDS, "reading", ACCESS);
  private static final RuntimeMethod WRITING = new RuntimeMethod(FIELDS, "writing", ACCESS);
  private static final RuntimeMethod WRITTEN_EARLY =
      new RuntimeMethod(FIELDS, "writtenEarly", ACCESS);
  private static final RuntimeMethod READING_AT =
      new RuntimeMethod(OFFSETS, "readingAt", "(" + VARIABLE);
  private static final RuntimeMethod WRITING_AT =
      new RuntimeMethod(OFFSETS, "writingAt", "(" + VARIABLE);
  private static final RuntimeMethod WROTE_AT =
      new RuntimeMethod(OFFSETS, "wroteAt", "(Z" + VARIABLE);
  private static final RuntimeMethod FOUND_AT =
      new RuntimeMethod(OFFSETS, "foundAt", "(I" + VARIABLE);
  private static final RuntimeMethod FOUND_REFERENCE_AT =
      new RuntimeMethod(
          OFFSETS, "foundReferenceAt", "(Ljava/lang/Object;Ljava/lang/Object;" + VARIABLE);
  private static final RuntimeMethod BORN =
      new RuntimeMethod(OBJECTS, "born", "(Ljava/lang/Object;Ljava/lang/Thread;J)V");
  private static final RuntimeMethod COPIED =
      new RuntimeMethod(
          OBJECTS,
          "copied",
          "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Thread;J)Ljava/lang/Object;");
  private static final RuntimeMethod MADE =
      new RuntimeMethod(OBJECTS, "made", "(Ljava/lang/Object;)Ljava/lang/Object;");
  private static final RuntimeMethod MADE_ELEMENT =
      new RuntimeMethod(
          OBJECTS, "madeElement", "(Ljava/lang/Object;ILjava/lang/Object;)Ljava/lang/Object;");
  private static final RuntimeMethod CONSTRUCTED = new RuntimeMethod(OBJECTS, "constructed", NAMED);
  private static final RuntimeMethod CONSTRUCTING =
      new RuntimeMethod(OBJECTS, "constructing", NAMED);
  private static final RuntimeMethod CONSTRUCTED_BY =
      new RuntimeMethod(OBJECTS, "constructedBy", NUMBERED);
  private static final RuntimeMethod CONSTRUCTING_BY =
      new RuntimeMethod(OBJECTS, "constructingBy", NUMBERED);
  private static final RuntimeMethod[] METHODS = {
    READING,
    WRITING,
    WRITTEN_EARLY,
    READING_AT,
    WRITING_AT,
    WROTE_AT,
    FOUND_AT,
    FOUND_REFERENCE_AT,
    BORN,
    COPIED,
    MADE,
    MADE_ELEMENT,
    CONSTRUCTED,
    CONSTRUCTING,
    CONSTRUCTED_BY,
    CONSTRUCTING_BY,
  };

  @Override
  public String option() {
    return Probes.NAMES;
  }

  @Override
  public Probe chosenBy(Map<String, String> options) {
    for (String chosen : options.getOrDefault(Probes.NAMES, "").split(",")) {
      if (NAMES.contains(chosen)) {
        return this;
      }
    }
    return null;
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
  public boolean followsObjects() {
    return true;
  }

  @Override
  public void atField(Code code, int key, boolean writes) {
    code.loadThread();
    code.loadNode();
    code.push(key);
    code.call(writes ? WRITING : READING);
  }

  @Override
  public void afterEarly(Code code, int key) {
    code.loadThread();
    code.loadNode();
    code.push(key);
    code.call(WRITTEN_EARLY);
  }

  @Override
  public void atVariable(Code code, boolean writes) {
    code.loadThread();
    code.loadNode();
    code.call(writes ? WRITING_AT : READING_AT);
  }

  @Override
  public void atSwap(Code code, Swap swap) {
    code.loadThread();
    code.loadNode();
    code.call(
        switch (swap) {
          case TRUE_IF_DONE -> WROTE_AT;
          case ZERO_IF_DONE -> FOUND_AT;
          case SAME_IF_DONE -> FOUND_REFERENCE_AT;
        });
  }

  @Override
  public void atClone(Code code) {
    code.loadThread();
    code.loadNode();
    code.call(COPIED);
  }

  /** A number that {@code Array.get} boxes has no constructor run. */
  @Override
  public void atCall(Code code, int instruction) {
    if (isElement(code, instruction)) {
      code.loadTwo();
    }
  }

  @Override
  public void atResult(Code code, int instruction) {
    if (isElement(code, instruction)) {
      code.call(MADE_ELEMENT);
    }
  }

  private static boolean isElement(Code code, int instruction) {
    AllocationSite site = code.plan().allocationAt(instruction);
    return site != null && site.kind() == Kind.ELEMENT;
  }

  @Override
  public void atBirth(Code code) {
    code.loadThis();
    code.loadThread();
    code.loadNode();
    code.call(BORN);
  }

  @Override
  public void atConstruction(Code code, boolean goesOn) {
    code.loadThis();
    if (code.pushClass()) {
      code.call(goesOn ? CONSTRUCTING : CONSTRUCTED);
    } else {
      code.pushMethod();
      code.call(goesOn ? CONSTRUCTING_BY : CONSTRUCTED_BY);
    }
  }

  @Override
  public ProbeTables tables(Recording recording) {
    return () -> {
      new WatchedClasses(recording).write();
      StatePlaces.writeFor(this, recording);
    };
  }

  @Override
  public String toString() {
    return "field states";
  }
}
