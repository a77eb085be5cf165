package io.jvmscope.classfile;

import java.util.ArrayList;
import java.util.List;

/**
 * A class file as it stands (JVMS 4), read without interpretation: bytecode offsets, opcodes and
 * constant pool entries are the file's own. ASM hides exactly these, and the tables of a run are
 * made of them.
 */
public final class ClassFile {
  public static final int ACC_STATIC = 0x0008;
  public static final int ACC_FINAL = 0x0010;
  public static final int ACC_PRIVATE = 0x0002;
  public static final int ACC_NATIVE = 0x0100;
  public static final int ACC_INTERFACE = 0x0200;
  public static final int ACC_ABSTRACT = 0x0400;

  /** Why an empty finalize is left as it is. */
  public static final String EMPTY_FINALIZER =
      "empty: instrumented, it would make its class finalisable";

  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;

  private final byte[] bytes;
  private final int[] pool; // offset of each entry's tag; 0 where there is none
  private final String[] strings; // of the pool, each decoded when it is asked for
  private final Member[] members; // likewise
  private final int accessFlags;
  private final String name;
  private final String superName;
  private final String[] interfaces;
  private final List<Field> fields = new ArrayList<>();
  private final List<Method> methods = new ArrayList<>();
  private String sourceFile;
  private boolean isContended;

  /**
   * A field as declared.
   *
   * @param contended the group of its annotation {@code Contended}, empty if that names none; null
   *     without
   */
  public record Field(int access, String name, String descriptor, String contended) {
    public boolean isStatic() {
      return (access & ACC_STATIC) != 0;
    }
  }

  /** A member reference of the constant pool: named owner (class name or array descriptor). */
  public record Member(String owner, String name, String descriptor) {}

  /** An entry of the exception table; offsets into the code, {@code end} exclusive. */
  public record Handler(int start, int end, int handler, int catchType) {}

  /**
   * A method's Code attribute.
   *
   * @param start index of the first instruction in the file's bytes
   * @param length of the code in bytes
   * @param lines pairs (offset, line) in the file's order; empty when there are none
   */
  public record Code(
      int maxStack, int maxLocals, int start, int length, Handler[] handlers, int[] lines) {
    /** The line of the last entry at or before an offset; -1 if there is none. */
    public int lineAt(int offset) {
      int line = -1;
      int best = -1;
      for (int i = 0; i < lines.length; i += 2) {
        if (lines[i] <= offset && lines[i] >= best) {
          best = lines[i];
          line = lines[i + 1];
        }
      }
      return line;
    }
  }

  /** A method as declared; {@code code} is null for abstract and native methods. */
  public record Method(
      int index, int access, String name, String descriptor, Code code, List<String> annotations) {
    public boolean isStatic() {
      return (access & ACC_STATIC) != 0;
    }

    public boolean isNative() {
      return (access & ACC_NATIVE) != 0;
    }

    /**
     * Is it an empty finalize, which marks a class that needs no finalisation? With any code the
     * class would be finalisable.
     */
    public boolean isEmptyFinalizer() {
      return code != null
          && code.length() == 1
          && name.equals("finalize")
          && descriptor.equals("()V");
    }

    /** Does a runtime-visible annotation's type end with this simple name? */
    public boolean isAnnotated(String simpleName) {
      for (String type : annotations) {
        if (type.endsWith("/" + simpleName + ";")) {
          return true;
        }
      }
      return false;
    }
  }

  /** Reads a class file; {@link ClassFormatException} if it is not one. */
  public ClassFile(byte[] bytes) {
    this.bytes = bytes;
    try {
      if (bytes.length < 10 || s4(0) != 0xCAFEBABE) {
        throw new ClassFormatException("not a class file: its magic number is missing");
      }
      int count = u2(8);
      pool = new int[count];
      strings = new String[count];
      members = new Member[count];
      int at = readPool(count);
      accessFlags = u2(at);
      name = className(u2(at + 2));
      superName = u2(at + 4) == 0 ? null : className(u2(at + 4));
      interfaces = new String[u2(at + 6)];
      at += 8;
      for (int i = 0; i < interfaces.length; i++, at += 2) {
        interfaces[i] = className(u2(at));
      }
      at = readFields(at);
      at = readMethods(at);
      at = readAttributes(at);
      if (at != bytes.length) {
        throw new ClassFormatException((bytes.length - at) + " bytes come behind the class");
      }
    } catch (ArrayIndexOutOfBoundsException e) {
      throw new ClassFormatException("class file ends too early: " + bytes.length + " bytes");
    }
  }

  private int readPool(int count) {
    int at = 10;
    for (int i = 1; i < count; i++) {
      pool[i] = at;
      int tag = u1(at);
      switch (tag) {
        case UTF8 -> at += 3 + u2(at + 1);
        case 3, 4, 9, 10, 11, 12, 17, 18 -> at += 5;
        case LONG, DOUBLE -> {
          at += 9;
          i++;
        }
        case 7, 8, 16, 19, 20 -> at += 3;
        case 15 -> at += 4;
        default -> throw new ClassFormatException("constant pool entry " + i + " has tag " + tag);
      }
    }
    return at;
  }

  private int readFields(int start) {
    int at = start + 2;
    for (int n = u2(start); n > 0; n--) {
      String contended = contended(at + 6);
      fields.add(new Field(u2(at), utf8(u2(at + 2)), utf8(u2(at + 4)), contended));
      at = skipAttributes(at + 6);
    }
    return at;
  }

  private int readMethods(int start) {
    int at = start + 2;
    int count = u2(start);
    for (int index = 0; index < count; index++) {
      int access = u2(at);
      String methodName = utf8(u2(at + 2));
      String descriptor = utf8(u2(at + 4));
      Code code = null;
      List<String> annotations = List.of();
      int n = u2(at + 6);
      at += 8;
      for (; n > 0; n--) {
        String attribute = utf8(u2(at));
        if (attribute.equals("Code")) {
          code = readCode(at + 6);
        } else if (attribute.equals("RuntimeVisibleAnnotations")) {
          annotations = readAnnotationTypes(at + 6);
        }
        at += 6 + s4(at + 2);
      }
      methods.add(new Method(index, access, methodName, descriptor, code, annotations));
    }
    return at;
  }

  private Code readCode(int at) {
    int length = s4(at + 4);
    int end = at + 8 + length;
    Handler[] handlers = new Handler[u2(end)];
    int entry = end + 2;
    for (int i = 0; i < handlers.length; i++, entry += 8) {
      handlers[i] = new Handler(u2(entry), u2(entry + 2), u2(entry + 4), u2(entry + 6));
    }
    int[] lines = new int[0];
    int attribute = entry + 2;
    for (int n = u2(entry); n > 0; n--) {
      if (utf8(u2(attribute)).equals("LineNumberTable")) {
        int rows = u2(attribute + 6);
        int from = lines.length;
        lines = java.util.Arrays.copyOf(lines, from + 2 * rows);
        for (int i = 0; i < 2 * rows; i++) {
          lines[from + i] = u2(attribute + 8 + 2 * i);
        }
      }
      attribute += 6 + s4(attribute + 2);
    }
    return new Code(u2(at), u2(at + 2), at + 8, length, handlers, lines);
  }

  /** Types of the annotations that take no element values; the JDK's markers are of that kind. */
  private List<String> readAnnotationTypes(int at) {
    List<String> types = new ArrayList<>();
    int n = u2(at);
    int next = at + 2;
    try {
      for (; n > 0; n--) {
        types.add(utf8(u2(next)));
        if (u2(next + 2) != 0) {
          break; // element values are not parsed; what follows them is not seen
        }
        next += 4;
      }
    } catch (ArrayIndexOutOfBoundsException e) {
      throw endlessAnnotations();
    }
    return types;
  }

  private int readAttributes(int start) {
    isContended = contended(start) != null;
    int at = start + 2;
    for (int n = u2(start); n > 0; n--) {
      if (utf8(u2(at)).equals("SourceFile")) {
        sourceFile = utf8(u2(at + 6));
      }
      at += 6 + s4(at + 2);
    }
    return at;
  }

  /** The group that an annotation among attributes names. */
  private String contended(int start) {
    String group = null;
    int at = start + 2;
    for (int n = u2(start); n > 0; n--) {
      if (utf8(u2(at)).equals("RuntimeVisibleAnnotations")) {
        group = group(at + 6);
      }
      at += 6 + s4(at + 2);
    }
    return group;
  }

  private String group(int at) {
    try {
      return Contended.group(this, at);
    } catch (ArrayIndexOutOfBoundsException e) {
      throw endlessAnnotations();
    }
  }

  private static ClassFormatException endlessAnnotations() {
    return new ClassFormatException("annotations go beyond the class file", true);
  }

  private int skipAttributes(int start) {
    int at = start + 2;
    for (int n = u2(start); n > 0; n--) {
      at += 6 + s4(at + 2);
    }
    return at;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int majorVersion() {
    return u2(6);
  }

  public int accessFlags() {
    return accessFlags;
  }

  /** Internal form, {@code java/lang/String}. */
  public String name() {
    return name;
  }

  /** Internal form; null for {@code java/lang/Object}. */
  public String superName() {
    return superName;
  }

  public String[] interfaces() {
    return interfaces;
  }

  public List<Field> fields() {
    return fields;
  }

  /** In the file's order; a method's {@code index} is its position. */
  public List<Method> methods() {
    return methods;
  }

  /** Does any method have code? */
  public boolean hasCode() {
    for (Method method : methods) {
      if (method.code() != null) {
        return true;
      }
    }
    return false;
  }

  /** Null when the attribute is absent. */
  public String sourceFile() {
    return sourceFile;
  }

  /** Has the class the annotation {@code Contended}? */
  public boolean isContended() {
    return isContended;
  }

  /** Unsigned byte at an index of the file. */
  public int u1(int at) {
    return bytes[at] & 0xFF;
  }

  /** Unsigned big-endian 16 bits. */
  public int u2(int at) {
    return (bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF;
  }

  /** Signed big-endian 16 bits. */
  public int s2(int at) {
    return (short) u2(at);
  }

  /** Signed big-endian 32 bits. */
  public int s4(int at) {
    return u2(at) << 16 | u2(at + 2);
  }

  /** Signed big-endian 64 bits. */
  public long s8(int at) {
    return (long) s4(at) << 32 | s4(at + 4) & 0xFFFFFFFFL;
  }

  /** Tag of a constant pool entry (JVMS 4.4). */
  public int poolTag(int index) {
    return u1(pool[index]);
  }

  /** Entries of the constant pool, with entry 0, which is none. */
  public int poolSize() {
    return pool.length;
  }

  /** Is a constant pool entry a CONSTANT_Utf8? An entry after a long or double is none. */
  public boolean isUtf8(int index) {
    return pool[index] != 0 && poolTag(index) == UTF8;
  }

  /** Index in the file of a constant pool entry's tag. */
  public int poolOffset(int index) {
    return pool[index];
  }

  /** Text of a CONSTANT_Utf8; JVMS's modified UTF-8. */
  public String utf8(int index) {
    String known = strings[index];
    if (known == null) {
      known = ModifiedUtf8.decode(bytes, pool[index] + 3, u2(pool[index] + 1));
      strings[index] = known;
    }
    return known;
  }

  /** Name in a CONSTANT_Class: internal form, or a descriptor for arrays. */
  public String className(int index) {
    return utf8(u2(pool[index] + 1));
  }

  /** The member that a Fieldref, Methodref or InterfaceMethodref names. */
  public Member member(int index) {
    Member known = members[index];
    if (known == null) {
      known = named(className(u2(pool[index] + 1)), index);
      members[index] = known;
    }
    return known;
  }

  /** Name and descriptor of an InvokeDynamic or Dynamic entry; owner is null. */
  public Member dynamic(int index) {
    Member known = members[index];
    if (known == null) {
      known = named(null, index);
      members[index] = known;
    }
    return known;
  }

  private Member named(String owner, int index) {
    int nameAndType = pool[u2(pool[index] + 3)];
    return new Member(owner, utf8(u2(nameAndType + 1)), utf8(u2(nameAndType + 3)));
  }

  /** The member that an invoke instruction at an index of the file names. */
  public Member invoked(int at) {
    int index = u2(at + 1);
    return u1(at) == Opcodes.INVOKEDYNAMIC ? dynamic(index) : member(index);
  }
}
