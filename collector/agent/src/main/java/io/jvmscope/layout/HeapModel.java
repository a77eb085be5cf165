package io.jvmscope.layout;

import static jdk.internal.perf.ArenaLayout.ARRAY_BASE;
import static jdk.internal.perf.ArenaLayout.CONTENDED_PADDING;
import static jdk.internal.perf.ArenaLayout.CONTENDS_ALL;
import static jdk.internal.perf.ArenaLayout.JAVA_VERSION;
import static jdk.internal.perf.ArenaLayout.KEEPS_GAPS;
import static jdk.internal.perf.ArenaLayout.LAYOUT_FLAGS;
import static jdk.internal.perf.ArenaLayout.OBJECT_ALIGNMENT;
import static jdk.internal.perf.ArenaLayout.REFERENCE_BYTES;

import io.jvmscope.arena.Arena;

/**
 * How the recorded VM lays out objects.
 *
 * @param release of the JDK
 * @param alignment of objects
 * @param arrayBase where the elements of a byte array begin
 * @param referenceBytes of a reference in a field or an array
 * @param contendedPadding around fields that are {@code @Contended}
 * @param contendsAll are classes of the program {@code @Contended}, too?
 * @param keepsGaps do fields never go into gaps between those of superclasses?
 */
public record HeapModel(
    int release,
    int alignment,
    int arrayBase,
    int referenceBytes,
    int contendedPadding,
    boolean contendsAll,
    boolean keepsGaps) {
  /** What the agent wrote; null if the VM ended before, or sizes were not recorded. */
  public static HeapModel of(Arena arena) {
    if (arena.getInt(OBJECT_ALIGNMENT) == 0) {
      return null;
    }
    int flags = arena.getInt(LAYOUT_FLAGS);
    return new HeapModel(
        arena.getInt(JAVA_VERSION),
        arena.getInt(OBJECT_ALIGNMENT),
        arena.getInt(ARRAY_BASE),
        arena.getInt(REFERENCE_BYTES),
        arena.getInt(CONTENDED_PADDING),
        (flags & CONTENDS_ALL) != 0,
        (flags & KEEPS_GAPS) != 0);
  }

  /** Its last two properties as the arena has them. */
  public int flags() {
    return (contendsAll ? CONTENDS_ALL : 0) | (keepsGaps ? KEEPS_GAPS : 0);
  }

  /**
   * Bytes of an object without fields before it is aligned: the mark and the class. An array has
   * its length behind them, and from JDK 23 on elements of up to four bytes right behind that.
   */
  int headerBytes() {
    return switch (arrayBase) {
      case 12 -> 8; // compact headers
      case 16 -> 12;
      default -> 16; // the class is not compressed
    };
  }

  /** Bytes of a field or an element of a type. */
  int bytesOf(char type) {
    return switch (type) {
      case 'Z', 'B' -> 1;
      case 'C', 'S' -> 2;
      case 'I', 'F' -> 4;
      case 'J', 'D' -> 8;
      default -> referenceBytes;
    };
  }

  /** The least multiple of the alignment of objects. */
  long align(long bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  /**
   * Bytes of an array.
   *
   * @param type of its elements, the first character of its descriptor
   * @param units its elements, if they are of four or eight bytes; else four bytes each
   */
  public long arrayBytes(char type, long units) {
    int element = bytesOf(type);
    long base = element == 8 ? arrayBase + 7 & -8 : arrayBase;
    return align(base + units * Math.max(4, element));
  }
}
