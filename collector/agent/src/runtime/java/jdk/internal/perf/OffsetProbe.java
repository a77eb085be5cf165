package jdk.internal.perf;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Follows the accesses of fields by {@code Unsafe}, which reflection, handles, atomic updaters and
 * serialisation end in. They name a field by its offset, and the same instruction may access fields
 * of any class, or elements of arrays.
 */
public final class OffsetProbe {
  private OffsetProbe() {}

  /** Before a variable is read. */
  @ForceInline
  @Hidden
  public static void readingAt(Object object, long offset, Thread thread, long node) {
    if (Shadows.areOpen && object != null && Shadows.mayBeWatched(object)) {
      access(object, offset, thread, node, false);
    }
  }

  /** Before a variable is written, whatever its value. */
  @ForceInline
  @Hidden
  public static void writingAt(Object object, long offset, Thread thread, long node) {
    if (Shadows.areOpen && object != null && Shadows.mayBeWatched(object)) {
      access(object, offset, thread, node, true);
    }
  }

  /** After a conditional write, which has happened or not. */
  @ForceInline
  @Hidden
  public static void wroteAt(boolean isDone, Object object, long offset, Thread thread, long node) {
    if (isDone) {
      writingAt(object, offset, thread, node);
    }
  }

  /** The same; it has happened if what was found differs by 0 from what was expected. */
  @ForceInline
  @Hidden
  public static void foundAt(int difference, Object object, long offset, Thread thread, long node) {
    wroteAt(difference == 0, object, offset, thread, node);
  }

  /** The same for references. */
  @ForceInline
  @Hidden
  public static void foundReferenceAt(
      Object found, Object expected, Object object, long offset, Thread thread, long node) {
    wroteAt(found == expected, object, offset, thread, node);
  }

  @Hidden
  private static void access(Object object, long offset, Thread thread, long node, boolean writes) {
    if (Arena.isSink(node)) {
      return;
    }
    long entry = Shadows.entryAt(object, offset);
    if (entry == 0L) {
      return;
    }
    int word = (int) entry;
    boolean isKnown =
        writes
            ? FieldProbe.isWriter(object, word, thread)
            : FieldProbe.isReader(object, word, thread);
    if (!isKnown) {
      FieldProbe.change(object, thread, entry, writes);
    }
  }
}
