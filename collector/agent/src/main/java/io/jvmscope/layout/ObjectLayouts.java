package io.jvmscope.layout;

import io.jvmscope.classfile.ClassFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The sizes of instances as the VM would make them without the recording, which adds fields to
 * classes of the JDK: from the class files, by the algorithm of HotSpot's {@code
 * FieldLayoutBuilder} (JDK 15 and later).
 *
 * <p>A class's fields come behind those of its superclass, or into gaps between them: numbers
 * first, by decreasing size, then references; each goes into the smallest gap where it fits.
 * {@code @Contended} fields come last, with padding around each group.
 */
public final class ObjectLayouts {
  private static final long UNKNOWN = -1;

  /** Groups of fields of a class: those that are not contended, then each contended group. */
  private record Shape(int superId, boolean isContended, List<String> groups, boolean isVariable) {}

  private record Extent(long offset, long bytes) {
    long end() {
      return offset + bytes;
    }
  }

  /** Where the fields of a class and its superclasses are, in order. */
  private record Layout(List<Extent> fields, boolean hasContended, long end) {}

  private final HeapModel heap; // null: nothing is known
  private final Shape[] shapes; // by class
  private final Layout[] layouts;

  /** Of so many classes; {@code heap} is null if it is not known. */
  public ObjectLayouts(int classes, HeapModel heap) {
    this.heap = heap;
    this.shapes = new Shape[classes];
    this.layouts = new Layout[classes];
  }

  /** How the VM lays out objects; null if that is not known. */
  public HeapModel heap() {
    return heap;
  }

  /**
   * Makes a class known.
   *
   * @param superId of its superclass; -1 if it has none or that was never loaded
   * @param isOfJdk was it defined by the boot or platform loader?
   */
  public void define(int id, ClassFile file, int superId, boolean isOfJdk) {
    boolean isUnknown = superId < 0 && file.superName() != null;
    if (heap != null && !isUnknown) {
      define(id, file.name(), file.superName(), FieldGroups.of(file), superId, isOfJdk);
    }
  }

  /**
   * The same without its file.
   *
   * @param fields as {@link FieldGroups} writes them
   */
  public void define(
      int id, String name, String superName, String fields, int superId, boolean isOfJdk) {
    boolean mayContend = heap.contendedPadding() > 0 && (isOfJdk || heap.contendsAll());
    String injected = InjectedFields.of(name, superName, fields, isOfJdk, heap.release());
    boolean isVariable =
        name.equals("java/lang/Class") || name.equals("jdk/internal/vm/StackChunk");
    shapes[id] =
        new Shape(
            superId,
            mayContend && FieldGroups.isContended(fields),
            FieldGroups.split(fields, mayContend, injected),
            isOfJdk && isVariable);
  }

  /** Bytes of an instance of a class; -1 if they are not known, or differ from one to another. */
  public long instanceBytes(int id) {
    return id < 0 || shapes[id] == null || shapes[id].isVariable() ? UNKNOWN : fixedBytes(id);
  }

  /** The same without what differs from one instance to another; -1 if they are not known. */
  public long fixedBytes(int id) {
    Layout layout = layout(id);
    return layout == null ? UNKNOWN : heap.align(layout.end() + 7 & -8L);
  }

  private Layout layout(int id) {
    if (layouts[id] == null && shapes[id] != null) {
      Shape shape = shapes[id];
      Layout above =
          shape.superId() < 0
              ? new Layout(List.of(), false, heap.headerBytes())
              : layout(shape.superId());
      layouts[id] = above == null ? null : new Builder(above, shape).build();
    }
    return layouts[id];
  }

  /** Adds the fields of a class to those of its superclass. */
  private final class Builder {
    private final Layout above;
    private final Shape shape;
    private final List<Extent> fields;
    private final List<Extent> gaps = new ArrayList<>();
    private boolean fillsGaps;
    private long end;

    Builder(Layout above, Shape shape) {
      this.above = above;
      this.shape = shape;
      this.fields = new ArrayList<>(above.fields());
      this.end = heap.headerBytes();
      for (Extent field : fields) {
        if (field.offset() > end && !above.hasContended()) {
          gaps.add(new Extent(end, field.offset() - end));
        }
        end = field.end();
      }
      if (above.hasContended()) {
        end += heap.contendedPadding();
      }
      if (heap.keepsGaps() && !fields.isEmpty()) {
        end = align(end, heap.referenceBytes());
      }
      fillsGaps = fields.isEmpty() || !heap.keepsGaps() && !above.hasContended();
    }

    Layout build() {
      int padding = heap.contendedPadding();
      boolean needsPadding = shape.isContended();
      if (shape.isContended()) {
        fillsGaps = false;
        end += padding;
      }
      add(shape.groups().get(0));
      fillsGaps = false;
      for (String group : shape.groups().subList(1, shape.groups().size())) {
        end += padding;
        add(group);
        needsPadding = true;
      }
      end += needsPadding ? padding : 0;
      fields.sort(Comparator.comparingLong(Extent::offset));
      return new Layout(fields, above.hasContended() || needsPadding, end);
    }

    private void add(String types) {
      for (int bytes = 8; bytes > 0; bytes /= 2) {
        for (int k = 0; k < types.length(); k++) {
          if (types.charAt(k) != 'L' && heap.bytesOf(types.charAt(k)) == bytes) {
            add(bytes);
          }
        }
      }
      for (int k = 0; k < types.length(); k++) {
        if (types.charAt(k) == 'L') {
          add(heap.referenceBytes());
        }
      }
    }

    /** Puts a field into the smallest gap, of equal ones the last, or behind all. */
    private void add(int bytes) {
      int best = -1;
      for (int k = gaps.size() - 1; k >= 0 && fillsGaps; k--) {
        boolean fits = align(gaps.get(k).offset(), bytes) + bytes <= gaps.get(k).end();
        if (fits && (best < 0 || gaps.get(k).bytes() < gaps.get(best).bytes())) {
          best = k;
        }
      }
      long from = best < 0 ? end : gaps.get(best).offset();
      long offset = align(from, bytes);
      fields.add(new Extent(offset, bytes));
      long rest = best < 0 ? 0 : gaps.get(best).end() - offset - bytes;
      if (best >= 0) {
        gaps.remove(best);
      } else {
        best = gaps.size();
        end = offset + bytes;
      }
      if (rest > 0) {
        gaps.add(best, new Extent(offset + bytes, rest));
      }
      if (offset > from) {
        gaps.add(best, new Extent(from, offset - from));
      }
    }

    private static long align(long offset, int bytes) {
      return offset + bytes - 1 & -bytes;
    }
  }
}
