package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of the program and of the JDK that it uses: gives keys to those that the program's
 * code names, and finds where objects have their words when a key is first used. What a name means
 * is known only then: a superclass may be loaded after the code.
 *
 * <p>One thread at a time, that of the {@link Transformer}.
 */
final class ProgramFields {
  /** The entry of a key whose field has no word. */
  static final long NO_WORD = 0xFFFF_FFFFL;

  private final JdkFields jdk;
  private final Loaders loaders;
  private final Map<String, String[]> declared = new HashMap<>(); // by loader and class
  private final Map<Integer, String[]> hidden = new HashMap<>(); // by number of the class
  private final Map<String, Integer> keys = new HashMap<>(); // by loader and named field
  private final List<Named> named = new ArrayList<>();
  private final Map<Long, Integer> counts = new HashMap<>(); // links by class number and index

  /** A field as code names it; {@code index} is -1 where that does not tell who declares it. */
  private record Named(String owner, String name, String descriptor, int index) {}

  ProgramFields(JdkFields jdk, Loaders loaders) {
    this.jdk = jdk;
    this.loaders = loaders;
    CallingContext.watchFields(jdk.count());
  }

  /** How the code of a class names fields; notes those that it declares itself. */
  FieldKeys of(int loaderId, ClassFile file, boolean isHidden, boolean isWatched) {
    String[] own = InstanceFields.of(file);
    if (!isHidden) {
      declared.put(Loaders.key(loaderId, file.name()), own);
    }
    Map<String, Integer> known = isHidden ? new HashMap<>() : keys;
    return new FieldKeys() {
      @Override
      public int key(String owner, String name, String descriptor) {
        String text = loaderId + owner + " " + InstanceFields.text(name, descriptor);
        Integer key = known.get(text);
        if (key == null) {
          boolean isOwn = owner.equals(file.name());
          int index = isOwn ? InstanceFields.indexOf(own, name, descriptor) : -1;
          key = add(new Named(owner, name, descriptor, index));
          known.put(text, key);
        }
        return key;
      }

      @Override
      public int anyKey(String owner, String name, String descriptor) {
        return key(owner, name, descriptor);
      }

      @Override
      public boolean isWatched() {
        return isWatched;
      }

      @Override
      public boolean isHidden() {
        return isHidden;
      }
    };
  }

  /** Keys that were given. */
  int keyCount() {
    return jdk.count() + named.size();
  }

  private int add(Named field) {
    int key = jdk.count() + named.size();
    if (!CallingContext.watchFields(key + 1)) {
      return FieldKeys.NONE;
    }
    named.add(field);
    return key;
  }

  /** A field that was found. */
  private record Found(Class<?> declaring, int index) {}

  /** The offset of the word of a field, below, and above it the link of the field's counts. */
  long find(Class<?> type, int key) throws IOException {
    Found found = search(type, key);
    return found == null ? NO_WORD : entry(found.declaring, found.index);
  }

  /** The offset of a field itself; 0 if it is not found. */
  int offset(Class<?> type, int key) throws IOException {
    Found found = search(type, key);
    if (found == null) {
      return 0;
    }
    String text = fieldText(found, key);
    return Math.max(
        0, CallingContext.fieldOffset(found.declaring, text.substring(0, text.indexOf(' '))));
  }

  private String fieldText(Found found, int key) throws IOException {
    if (key >= jdk.count()) {
      Named field = named.get(key - jdk.count());
      return InstanceFields.text(field.name, field.descriptor);
    }
    return jdk.fields(jdk.rowOf(key))[found.index];
  }

  private Found search(Class<?> type, int key) throws IOException {
    String owner;
    int index;
    String name = null;
    String descriptor = null;
    if (key < jdk.count()) {
      int row = jdk.rowOf(key);
      owner = jdk.className(row);
      index = key - jdk.firstKey(row);
    } else {
      Named field = named.get(key - jdk.count());
      owner = field.owner;
      index = field.index;
      name = field.name;
      descriptor = field.descriptor;
    }
    Class<?> declaring = type;
    while (declaring != null && !owner.equals(fileName(declaring))) {
      declaring = declaring.getSuperclass();
    }
    if (declaring == null) {
      return null;
    }
    return index >= 0 ? new Found(declaring, index) : search(declaring, name, descriptor);
  }

  /** A field by its name, which a class declares or inherits. */
  private Found search(Class<?> type, String name, String descriptor) throws IOException {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      String[] fields = fieldsOf(at);
      int index = fields == null ? -1 : InstanceFields.indexOf(fields, name, descriptor);
      if (index >= 0) {
        return new Found(at, index);
      }
    }
    return null;
  }

  /**
   * Finds the fields of the objects of a class by their offsets. Of two that one class declares by
   * the same name, which no Java source can, only the first is found.
   */
  void findOffsets(Class<?> type) throws IOException {
    int[] offsets = new int[8];
    long[] entries = new long[8];
    int n = 0;
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      String[] fields = fieldsOf(at);
      for (int k = 0; fields != null && k < fields.length; k++) {
        long entry = entry(at, k);
        if (entry != NO_WORD) {
          if (n == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * n);
            entries = Arrays.copyOf(entries, 2 * n);
          }
          offsets[n] =
              CallingContext.fieldOffset(at, fields[k].substring(0, fields[k].indexOf(' ')));
          entries[n++] = entry;
        }
      }
    }
    CallingContext.mapOffsets(type, Arrays.copyOf(offsets, n), Arrays.copyOf(entries, n));
  }

  /** Notes the fields of a hidden class, which no name tells from others. */
  void addHidden(int number, ClassFile file) {
    String[] own = InstanceFields.of(file);
    if (own.length > 0) {
      hidden.put(number, own);
    }
  }

  private String[] fieldsOf(Class<?> type) throws IOException {
    if (type.isHidden()) {
      return hidden.get(CallingContext.receiverNumber(type));
    }
    String className = fileName(type);
    String[] fields = declared.get(Loaders.key(loaders.id(type.getClassLoader()), className));
    int row = fields == null ? jdk.row(className) : -1;
    return row < 0 ? fields : jdk.fields(row);
  }

  /** The name that a class has in its file. */
  static String fileName(Class<?> type) {
    String name = CallingContext.nameOf(type);
    int address = type.isHidden() ? name.lastIndexOf("/0x") : -1;
    return (address < 0 ? name : name.substring(0, address)).replace('.', '/');
  }

  private long entry(Class<?> declaring, int index) {
    int offset = CallingContext.fieldOffset(declaring, InstanceFields.word(index));
    if (offset < 0) {
      return NO_WORD;
    }
    long known = (long) CallingContext.receiverNumber(declaring) << 16 | index;
    Integer link = counts.get(known);
    if (link == null) {
      link = CallingContext.watchField(declaring, index);
      counts.put((long) CallingContext.receiverNumber(declaring) << 16 | index, link);
    }
    return link == 0 ? NO_WORD : (long) link << 32 | offset;
  }

  /**
   * How many words the fields that a class declares may have. The VM is not asked for more: it says
   * no by an error, which costs, and which debuggers see.
   */
  private int mostWords(Class<?> type) throws IOException {
    String[] fields = ShadowEdit.hasWords(fileName(type)) ? fieldsOf(type) : null;
    return fields == null ? 0 : fields.length;
  }

  /** Finds the words of the objects of a class. */
  void watch(Class<?> type, int firstMethod, int endMethod, boolean isConstructed)
      throws IOException {
    int birth = -1;
    int counts = -1;
    int[] offsets = new int[8];
    int n = 0;
    Class<?> above = type;
    while (birth < 0 && above.getSuperclass() != null) {
      int most = mostWords(above);
      for (int k = 0; k < most; k++) {
        int offset = CallingContext.fieldOffset(above, InstanceFields.word(k));
        if (offset < 0) {
          break;
        }
        offsets = n == offsets.length ? Arrays.copyOf(offsets, 2 * n) : offsets;
        offsets[n++] = offset;
      }
      if (ShadowEdit.isAboveRoot(fileName(above.getSuperclass()))) {
        birth = CallingContext.fieldOffset(above, ShadowEdit.BIRTH);
        counts = CallingContext.fieldOffset(above, ShadowEdit.COUNTS);
      }
      above = above.getSuperclass();
    }
    int[] found = Arrays.copyOf(offsets, n);
    birth = isConstructed ? birth : -1;
    CallingContext.watch(type, birth, counts, found, firstMethod, endMethod);
  }
}
