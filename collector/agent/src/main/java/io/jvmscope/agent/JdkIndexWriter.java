package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_PROTECTED;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.JdkIndex;
import io.jvmscope.classfile.LeafMethods.Inheritance;
import io.jvmscope.classfile.MethodPlan.Coverage;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the classes of a JDK and writes its index; the layout is in {@link JdkIndex}. Used
 * twice: with ids and leaves alone it serves the instrumenter, then, with coverage and places in
 * the pack, it is kept.
 */
final class JdkIndexWriter {
  /** A class of the JDK. */
  static final class Entry {
    final String name;
    final String superName;
    boolean isOpen;
    final int methodCount;
    final int hash;
    final int length;
    final List<ClassFile.Method> leaves = new ArrayList<>();
    final List<String[]> others = new ArrayList<>();
    int baseId;
    int flags;
    long packOffset;
    int packLength;
    Coverage[] coverage;

    Entry(ClassFile file) {
      name = file.name();
      superName = file.superName();
      isOpen = isOpen(file);
      methodCount = file.methods().size();
      hash = Arrays.hashCode(file.bytes());
      length = file.bytes().length;
      for (ClassFile.Method method : file.methods()) {
        if (JdkLeaves.isLeaf(file, method)) {
          leaves.add(method);
        } else {
          others.add(new String[] {method.name(), method.descriptor()});
        }
      }
    }

    /** May a class outside the JDK be a subclass? */
    private static boolean isOpen(ClassFile file) {
      boolean isPublic = (file.accessFlags() & (ACC_PUBLIC | ACC_FINAL)) == ACC_PUBLIC;
      for (ClassFile.Method method : file.methods()) {
        if (isPublic && method.name().equals("<init>") && isShared(method)) {
          return true;
        }
      }
      return false;
    }

    /** Is a method public or protected? */
    private static boolean isShared(ClassFile.Method method) {
      return (method.access() & (ACC_PUBLIC | ACC_PROTECTED)) != 0;
    }

    /** Has the class a method that is no leaf, of the name and descriptor of one that is? */
    private boolean hasOther(ClassFile.Method leaf) {
      for (String[] other : others) {
        if (other[0].equals(leaf.name()) && other[1].equals(leaf.descriptor())) {
          return true;
        }
      }
      return false;
    }
  }

  /** A part of the index that rows point into. */
  private static final class Section {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final DataOutputStream out = new DataOutputStream(bytes);
    final int[] at; // by row, from the start of the section; -1 if the row has nothing in it
    int start;

    Section(int rows) {
      at = new int[rows];
    }

    /** The offset in the index of what a row has here; -1 if it has nothing. */
    int of(int row) {
      return at[row] < 0 ? -1 : start + at[row];
    }
  }

  private static final int FIRST_ID = 1; // 0 is what an empty stretch of the arena holds

  private final List<Entry> entries;
  private final Map<String, Integer> rows = new HashMap<>();
  private final int nextId;

  /** Takes the classes over, sorted by the bytes of their names, and gives them ids. */
  JdkIndexWriter(List<Entry> classes) {
    entries = new ArrayList<>(classes);
    entries.sort(
        (a, b) ->
            Arrays.compareUnsigned(
                a.name.getBytes(StandardCharsets.UTF_8), b.name.getBytes(StandardCharsets.UTF_8)));
    int id = FIRST_ID;
    for (int row = 0; row < entries.size(); row++) {
      Entry entry = entries.get(row);
      rows.put(entry.name, row);
      entry.baseId = id;
      id += entry.methodCount;
    }
    nextId = id;
    for (Entry entry : entries) {
      for (Entry at = entry; entry.isOpen && at != null; at = above(at)) {
        at.isOpen = true; // for what is below
      }
    }
  }

  private Entry above(Entry entry) {
    Integer row = entry.superName == null ? null : rows.get(entry.superName);
    return row == null ? null : entries.get(row);
  }

  /** How classes outside the JDK, or above in it, may have a leaf. */
  private Inheritance inheritance(Entry entry, ClassFile.Method leaf) {
    if (leaf.name().startsWith("<") || (leaf.access() & ACC_PRIVATE) != 0) {
      return Inheritance.NONE;
    }
    for (Entry above = above(entry); above != null && !leaf.isStatic(); above = above(above)) {
      if (above.hasOther(leaf)) {
        return Inheritance.OVERRIDING;
      }
    }
    if (!entry.isOpen || !Entry.isShared(leaf)) {
      return Inheritance.NONE;
    }
    if (leaf.isStatic()) {
      return Inheritance.STATIC;
    }
    return (leaf.access() & ACC_FINAL) != 0 ? Inheritance.FINAL : Inheritance.OVERRIDABLE;
  }

  Entry entry(String className) {
    return entries.get(rows.get(className));
  }

  /** The header, a row for each class, then what the rows point to. */
  byte[] toBytes() throws IOException {
    int n = entries.size();
    Section coverage = new Section(n);
    Section leaves = new Section(n);
    Section names = new Section(n);
    ByteArrayOutputStream open = new ByteArrayOutputStream();
    for (int row = 0; row < n; row++) {
      Entry entry = entries.get(row);
      coverage.at[row] = writeCoverage(entry, coverage.out);
      leaves.at[row] = writeLeaves(entry, leaves.out);
      names.at[row] = names.out.size();
      names.out.write(entry.name.getBytes(StandardCharsets.UTF_8));
      writeOpen(entry, row, new DataOutputStream(open));
    }
    coverage.start = JdkIndex.HEADER + n * JdkIndex.ROW;
    leaves.start = coverage.start + coverage.out.size();
    names.start = leaves.start + leaves.out.size();
    int openStart = names.start + names.out.size();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(whole);
    out.writeInt(JdkIndex.MAGIC);
    out.writeInt(n);
    out.writeInt(nextId);
    out.writeInt(coverage.start);
    out.writeInt(leaves.start);
    out.writeInt(names.start);
    out.writeInt(openStart);
    for (int row = 0; row < n; row++) {
      writeRow(out, row, names.of(row), coverage.of(row), leaves.of(row));
    }
    coverage.bytes.writeTo(out);
    leaves.bytes.writeTo(out);
    names.bytes.writeTo(out);
    open.writeTo(out);
    return whole.toByteArray();
  }

  /** Writes a class, with the offsets of what it has in the other sections. */
  private void writeRow(DataOutputStream out, int row, int name, int coverage, int leaves)
      throws IOException {
    Entry entry = entries.get(row);
    out.writeInt(name);
    out.writeShort(entry.name.getBytes(StandardCharsets.UTF_8).length);
    out.writeShort(entry.flags);
    out.writeInt(entry.baseId);
    out.writeInt(entry.methodCount);
    out.writeInt(entry.superName == null ? -1 : rows.getOrDefault(entry.superName, -1));
    out.writeInt(entry.hash);
    out.writeLong(entry.packOffset);
    out.writeInt(entry.packLength);
    out.writeInt(coverage);
    out.writeInt(leaves);
    out.writeInt(entry.length);
  }

  private static int writeCoverage(Entry entry, DataOutputStream out) throws IOException {
    if (entry.coverage == null) {
      return -1;
    }
    int at = out.size();
    for (Coverage coverage : entry.coverage) {
      out.write(coverage.ordinal());
    }
    return at;
  }

  /**
   * Own leaves, and methods that are none themselves but would be taken for a superclass's leaf:
   * overriding ones, and constructors, private ones too.
   */
  private int writeLeaves(Entry entry, DataOutputStream out) throws IOException {
    List<String[]> masks = new ArrayList<>();
    for (String[] method : entry.others) {
      if (overridesLeaf(entry, method)) {
        masks.add(method);
      }
    }
    if (entry.leaves.isEmpty() && masks.isEmpty()) {
      return -1;
    }
    int at = out.size();
    out.writeShort(entry.leaves.size() + masks.size());
    for (ClassFile.Method leaf : entry.leaves) {
      writeLeaf(out, entry, leaf);
    }
    for (String[] mask : masks) {
      writeLeaf(out, -1, 0, mask[0], mask[1]);
    }
    return at;
  }

  /** The leaves that calls may reach by other names of classes, each with the row of its class. */
  private void writeOpen(Entry entry, int row, DataOutputStream out) throws IOException {
    for (ClassFile.Method leaf : entry.leaves) {
      if (inheritance(entry, leaf) != Inheritance.NONE) {
        out.writeInt(row);
        writeLeaf(out, entry, leaf);
      }
    }
  }

  private void writeLeaf(DataOutputStream out, Entry entry, ClassFile.Method leaf)
      throws IOException {
    int upcalls = JdkLeaves.upcalls(entry.name, leaf) ? JdkIndex.UPCALLS : 0;
    int flags = upcalls | inheritance(entry, leaf).ordinal();
    writeLeaf(out, entry.baseId + leaf.index(), flags, leaf.name(), leaf.descriptor());
  }

  private boolean overridesLeaf(Entry entry, String[] method) {
    for (Entry above = above(entry); above != null; above = above(above)) {
      for (ClassFile.Method leaf : above.leaves) {
        if (leaf.name().equals(method[0]) && leaf.descriptor().equals(method[1])) {
          return true;
        }
      }
    }
    return false;
  }

  private static void writeLeaf(
      DataOutputStream out, int id, int flags, String name, String descriptor) throws IOException {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    byte[] descriptorBytes = descriptor.getBytes(StandardCharsets.UTF_8);
    out.writeInt(id);
    out.writeByte(flags);
    out.writeShort(nameBytes.length);
    out.writeShort(descriptorBytes.length);
    out.write(nameBytes);
    out.write(descriptorBytes);
  }
}
