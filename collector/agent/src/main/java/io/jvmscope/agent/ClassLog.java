package io.jvmscope.agent;

import io.jvmscope.classfile.MethodPlan.Coverage;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The classes of a recording, in the order in which they were loaded: {@code classes.log}. Each
 * record is written by one system call, so that a killed VM leaves whole records and at most one
 * that is cut off.
 *
 * <p>Layout, big-endian: an int with the length of what follows, a byte with the kind, then
 *
 * <ul>
 *   <li>kind {@value #LOADER}: int id (3 and up; 0 boot, 1 platform, 2 app), UTF class name
 *   <li>kind {@value #CLASS}: int loader id, int first method id, int flags, UTF class name (internal
 *       form), int n and n bytes of {@link Coverage} ordinals by method (n = 0: all as the index
 *       says, or all full), int length and the class file (length 0 for prepared classes)
 *   <li>kind {@value #RECEIVER}: int number under which the arena counts its calls, int loader id,
 *       UTF class name
 *   <li>kind {@value #MODULE}: int loader id, UTF package (internal form), UTF name of the module
 *       that has the package; once for each package of the program's named modules
 * </ul>
 *
 * <p>UTF is a short length and modified UTF-8, as DataOutput has it.
 */
public final class ClassLog implements Closeable {
  public static final int LOADER = 'L';
  public static final int CLASS = 'C';
  public static final int RECEIVER = 'R';
  public static final int MODULE = 'M';

  /** Defined as a hidden class. */
  public static final int HIDDEN = 1;

  /** A class of the prepared JDK: its file is in the image that ran, its coverage in the index. */
  public static final int PREPARED = 2;

  /** Left as it is: excluded, or instrumenting it failed. */
  public static final int UNINSTRUMENTED = 4;

  /** Loaded before, now in another form. */
  public static final int REDEFINED = 8;

  private final FileOutputStream out;

  ClassLog(Path file) throws IOException {
    out = new FileOutputStream(file.toFile());
  }

  void loader(int id, String className) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = start(bytes, LOADER);
    data.writeInt(id);
    data.writeUTF(className);
    write(bytes);
  }

  void prepared(int loader, int baseId, String className) throws IOException {
    write(loader, baseId, PREPARED, className, new Coverage[0], new byte[0]);
  }

  void receiver(int number, int loader, String className) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = start(bytes, RECEIVER);
    data.writeInt(number);
    data.writeInt(loader);
    data.writeUTF(className);
    write(bytes);
  }

  void module(int loader, String packageName, String moduleName) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = start(bytes, MODULE);
    data.writeInt(loader);
    data.writeUTF(packageName);
    data.writeUTF(moduleName);
    write(bytes);
  }

  void write(
      int loader, int baseId, int flags, String className, Coverage[] coverage, byte[] classFile)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(classFile.length + 256);
    DataOutputStream data = start(bytes, CLASS);
    data.writeInt(loader);
    data.writeInt(baseId);
    data.writeInt(flags);
    data.writeUTF(className);
    data.writeInt(coverage.length);
    for (Coverage level : coverage) {
      data.writeByte(level.ordinal());
    }
    data.writeInt(classFile.length);
    data.write(classFile);
    write(bytes);
  }

  /** Makes and drops a record. */
  void rehearse(String className, byte[] classFile) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = start(bytes, CLASS);
    data.writeUTF(className);
    data.write(classFile);
    data.writeByte(Coverage.FULL.ordinal());
    bytes.toByteArray();
    out.write(new byte[0]);
  }

  private static DataOutputStream start(ByteArrayOutputStream bytes, int kind) throws IOException {
    DataOutputStream data = new DataOutputStream(bytes);
    data.writeInt(0);
    data.writeByte(kind);
    return data;
  }

  private void write(ByteArrayOutputStream bytes) throws IOException {
    byte[] record = bytes.toByteArray();
    int length = record.length - 4;
    for (int k = 0; k < 4; k++) {
      record[k] = (byte) (length >>> 24 - 8 * k);
    }
    out.write(record);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
