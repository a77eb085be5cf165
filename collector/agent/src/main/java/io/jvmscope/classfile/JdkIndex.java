package io.jvmscope.classfile;

import io.jvmscope.classfile.MethodPlan.Coverage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What is known of a prepared JDK: method ids, where each class's instrumented form is, how much of
 * it is counted, and its leaf methods. Written by {@code JdkIndexWriter}; kept as the bytes of the
 * file, since the agent starts with it and asks about few classes.
 *
 * <p>Layout, big-endian: magic, number of classes n, next free method id, offset of the coverage
 * bytes, offset of the leaf records, offset of the names, offset of the open leaves, which end the
 * file: row of the class (4), and the leaf's record; then n rows of {@value #ROW} bytes sorted by
 * class name (its UTF-8 bytes): name offset (4), name length (2), flags (2), first method id (4),
 * method count (4), row of the superclass or -1 (4), hash of the original class file (4), offset
 * and length in the pack (8, 4), offset of coverage or -1 (4), offset of leaf records or -1 (4),
 * length of the original (4).
 */
public final class JdkIndex implements LeafMethods {
  public static final int MAGIC = 0x4A53_4958;
  public static final int HEADER = 28;
  public static final int ROW = 48;

  /** The class is in a patch of its module: the VM loads it instrumented. */
  public static final int PATCHED = 1;

  /** The class is in the pack: the agent replaces it when it is loaded. */
  public static final int PACKED = 2;

  /** Of a leaf: the VM or native code may call Java from it. The rest is its inheritance. */
  public static final int UPCALLS = 1 << 7;

  private static final Inheritance[] INHERITANCE = Inheritance.values();
  private static final String OBJECT = "java/lang/Object";
  private static final Leaf[] NO_LEAVES = {};

  private final byte[] bytes;
  private final int count;
  private final Map<String, Map<String, Leaf[]>> known = new HashMap<>();
  private final Map<String, Leaf> open = new HashMap<>(); // by name and descriptor
  private final Map<String, Leaf[]> overriding = new HashMap<>(); // likewise

  public JdkIndex(byte[] bytes) {
    this.bytes = bytes;
    if (bytes.length < HEADER || s4(0) != MAGIC) {
      throw new IllegalArgumentException("not an index of a prepared JDK");
    }
    this.count = s4(4);
    for (int at = s4(24); at < bytes.length; ) {
      Leaf leaf = leafAt(className(s4(at)), at + 4);
      String signature = leaf.name() + leaf.descriptor();
      if (leaf.inheritance() != Inheritance.OVERRIDING) {
        open.put(signature, leaf);
      } else {
        Leaf[] others = overriding.getOrDefault(signature, NO_LEAVES);
        overriding.put(signature, Arrays.copyOf(others, others.length + 1));
        overriding.get(signature)[others.length] = leaf;
      }
      at += 4 + leafLength(at + 4);
    }
  }

  /** Reads {@code jdk.index} of a prepared JDK. */
  public static JdkIndex read(Path directory) throws IOException {
    return new JdkIndex(WholeFile.read(directory.resolve("jdk.index")));
  }

  /** The first method id that no class of the JDK has. */
  public int nextId() {
    return s4(8);
  }

  /** The row of a class; -1 if the JDK has none of that name. */
  public int row(String className) {
    byte[] name = className.getBytes(StandardCharsets.UTF_8);
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = low + high >>> 1;
      int at = HEADER + middle * ROW;
      int start = s4(at);
      int order = compare(start, u2(at + 4), name);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /**
   * Is a class one of the JDK, or named after one? So are those that the JDK makes at run time: its
   * lambdas, and the forms and species of method handles.
   */
  public boolean isOfJdk(String className) {
    for (int end = className.indexOf('$'); end >= 0; end = className.indexOf('$', end + 1)) {
      if (row(className.substring(0, end)) >= 0) {
        return true;
      }
    }
    return row(className) >= 0;
  }

  /** As Arrays.compareUnsigned, which counts while it runs; this is asked about every class. */
  private int compare(int start, int length, byte[] name) {
    int shorter = length < name.length ? length : name.length;
    for (int i = 0; i < shorter; i++) {
      int difference = (bytes[start + i] & 0xFF) - (name[i] & 0xFF);
      if (difference != 0) {
        return difference;
      }
    }
    return length - name.length;
  }

  /** Number of classes. */
  public int size() {
    return count;
  }

  public String className(int row) {
    int at = HEADER + row * ROW;
    return new String(bytes, s4(at), u2(at + 4), StandardCharsets.UTF_8);
  }

  /** Does the class of a row, -1 for none, come in the patch of java.base? */
  public boolean isPatched(int row) {
    return row >= 0 && (flags(row) & PATCHED) != 0;
  }

  public int flags(int row) {
    return u2(HEADER + row * ROW + 6);
  }

  /** Id of the class's first method. */
  public int baseId(int row) {
    return s4(HEADER + row * ROW + 8);
  }

  public int methodCount(int row) {
    return s4(HEADER + row * ROW + 12);
  }

  /** Row of the superclass; -1 for {@code Object} and interfaces' none. */
  public int superRow(int row) {
    return s4(HEADER + row * ROW + 16);
  }

  /** Is this the class file that was prepared? */
  public boolean isOriginal(int row, byte[] classFile) {
    int at = HEADER + row * ROW;
    return s4(at + 44) == classFile.length && s4(at + 20) == Arrays.hashCode(classFile);
  }

  public long packOffset(int row) {
    int at = HEADER + row * ROW + 24;
    return (long) s4(at) << 32 | s4(at + 4) & 0xFFFFFFFFL;
  }

  public int packLength(int row) {
    return s4(HEADER + row * ROW + 32);
  }

  /** How much is counted of a class's methods, by their order. */
  public Coverage[] coverage(int row) {
    Coverage[] coverage = new Coverage[methodCount(row)];
    Coverage[] values = Coverage.values();
    int at = s4(HEADER + row * ROW + 36);
    for (int k = 0; k < coverage.length; k++) {
      coverage[k] = at < 0 ? Coverage.FULL : values[bytes[at + k]];
    }
    return coverage;
  }

  @Override
  public Leaf find(int opcode, String owner, String name, String descriptor) {
    boolean isArray = owner.startsWith("[");
    Leaf leaf = leaf(isArray ? OBJECT : owner, name, descriptor);
    if (leaf == null && opcode != Opcodes.INVOKESTATIC) {
      Leaf found = open.get(name + descriptor);
      boolean isOfAll =
          found != null && found.owner().equals(OBJECT) && found.inheritance() == Inheritance.FINAL;
      return isOfAll ? found : null;
    }
    if (leaf == null) {
      return null;
    }
    boolean isBound =
        opcode == Opcodes.INVOKESTATIC
            || opcode == Opcodes.INVOKESPECIAL
            || isArray
            || leaf.inheritance() != Inheritance.OVERRIDABLE;
    return isBound ? leaf : null;
  }

  @Override
  public Leaf findOpen(int opcode, String owner, String name, String descriptor) {
    Leaf leaf = open.get(name + descriptor);
    boolean isStatic = opcode == Opcodes.INVOKESTATIC;
    if (leaf == null && opcode == Opcodes.INVOKEVIRTUAL) {
      return findOverriding(owner, name + descriptor);
    }
    if (leaf == null || (leaf.inheritance() == Inheritance.STATIC) != isStatic) {
      return null;
    }
    if (leaf.owner().equals(OBJECT) && opcode != Opcodes.INVOKESPECIAL) {
      return leaf;
    }
    // A class of the JDK that neither has nor inherits the leaf has a body, or none at all.
    return row(owner) < 0 || leaf(owner, name, descriptor) != null ? leaf : null;
  }

  /** The leaf in a class of the JDK below another one of it. */
  private Leaf findOverriding(String owner, String signature) {
    Leaf[] found = overriding.getOrDefault(signature, NO_LEAVES);
    int named = found.length == 0 ? -1 : row(owner);
    for (int k = 0; named >= 0 && k < found.length; k++) {
      for (int above = row(found[k].owner()); above >= 0; above = superRow(above)) {
        if (above == named) {
          return found[k];
        }
      }
    }
    return null;
  }

  @Override
  public boolean isStandIn(String name, String descriptor) {
    Leaf leaf = open.get(name + descriptor);
    return leaf != null && leaf.inheritance() != Inheritance.FINAL
        || overriding.containsKey(name + descriptor);
  }

  /** The leaf that a class of the JDK declares; null if it declares none such. */
  public Leaf declared(String className, String name, String descriptor) {
    Leaf leaf = leaf(className, name, descriptor);
    return leaf == null || !leaf.owner().equals(className) ? null : leaf;
  }

  /** The leaf that a class has or inherits; null if the method is none. */
  private Leaf leaf(String owner, String name, String descriptor) {
    for (Leaf leaf : leaves(owner).getOrDefault(name, NO_LEAVES)) {
      if (leaf.descriptor().equals(descriptor)) {
        return leaf;
      }
    }
    return null;
  }

  /** The leaves that a class has or inherits, by name. */
  private Map<String, Leaf[]> leaves(String owner) {
    Map<String, Leaf[]> found = known.get(owner);
    if (found == null) {
      int row = row(owner);
      found = row < 0 ? Map.of() : readLeaves(row);
      known.put(owner, found);
    }
    return found;
  }

  private Map<String, Leaf[]> readLeaves(int row) {
    int up = superRow(row);
    Map<String, Leaf[]> inherited = up < 0 ? Map.of() : leaves(className(up));
    int at = s4(HEADER + row * ROW + 40);
    if (at < 0) {
      return inherited;
    }
    Map<String, Leaf[]> own = new HashMap<>(inherited);
    String owner = className(row);
    int n = u2(at);
    at += 2;
    for (; n > 0; n--) {
      Leaf leaf = leafAt(owner, at);
      at += leafLength(at);
      // one without an id is overridden by a method with a body
      Leaf[] others = own.getOrDefault(leaf.name(), NO_LEAVES);
      own.put(leaf.name(), override(others, leaf.descriptor(), leaf.methodId() < 0 ? null : leaf));
    }
    return own;
  }

  /** A leaf's record: its id (4), flags (1), lengths of name and descriptor (2 each), and both. */
  private Leaf leafAt(String owner, int at) {
    int flags = bytes[at + 4] & 0xFF;
    int nameLength = u2(at + 5);
    int descriptorLength = u2(at + 7);
    String name = new String(bytes, at + 9, nameLength, StandardCharsets.UTF_8);
    String descriptor =
        new String(bytes, at + 9 + nameLength, descriptorLength, StandardCharsets.UTF_8);
    boolean upcalls = (flags & UPCALLS) != 0;
    return new Leaf(owner, name, descriptor, s4(at), upcalls, INHERITANCE[flags & ~UPCALLS]);
  }

  private int leafLength(int at) {
    return 9 + u2(at + 5) + u2(at + 7);
  }

  /** Leaves of one name with another in the place of that of its descriptor; null: with none. */
  private static Leaf[] override(Leaf[] inherited, String descriptor, Leaf leaf) {
    Leaf[] own = new Leaf[inherited.length + 1];
    int n = 0;
    for (Leaf other : inherited) {
      if (!other.descriptor().equals(descriptor)) {
        own[n++] = other;
      }
    }
    if (leaf != null) {
      own[n++] = leaf;
    }
    return Arrays.copyOf(own, n);
  }

  /** Is a method, by its id, a leaf? */
  public boolean isLeaf(String owner, String name, String descriptor, int id) {
    Leaf leaf = leaf(owner, name, descriptor);
    return leaf != null && leaf.methodId() == id;
  }

  private int u2(int at) {
    return (bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF;
  }

  private int s4(int at) {
    return u2(at) << 16 | u2(at + 2);
  }
}
