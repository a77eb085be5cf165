package io.jvmscope.agent;

import io.jvmscope.classfile.ClassLogLayout;
import io.jvmscope.classfile.MethodPlan.Coverage;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes {@code classes.log}, as {@link ClassLogLayout} has it. Each record is written by one
 * system call, so that a killed VM leaves whole records and at most one that is cut off.
 */
final class ClassLog implements Closeable {
  private final LogFile out;

  ClassLog(Path file) throws IOException {
    out = new LogFile(file);
  }

  void loader(int id, String className) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = start(bytes, ClassLogLayout.LOADER);
    data.writeInt(id);
    data.writeUTF(className);
    write(bytes);
  }

  void prepared(int loader, int baseId, String className, Coverage[] coverage) throws IOException {
    write(loader, baseId, ClassLogLayout.PREPARED, className, coverage, new byte[0]);
  }

  void receiver(int number, int loader, String className) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = start(bytes, ClassLogLayout.RECEIVER);
    data.writeInt(number);
    data.writeInt(loader);
    data.writeUTF(className);
    write(bytes);
  }

  void hidden(int number, int baseId) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = start(bytes, ClassLogLayout.HIDDEN_NUMBER);
    data.writeInt(number);
    data.writeInt(baseId);
    write(bytes);
  }

  void module(int loader, String packageName, String moduleName) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = start(bytes, ClassLogLayout.MODULE);
    data.writeInt(loader);
    data.writeUTF(packageName);
    data.writeUTF(moduleName);
    write(bytes);
  }

  void write(
      int loader, int baseId, int flags, String className, Coverage[] coverage, byte[] classFile)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(classFile.length + 256);
    DataOutputStream data = start(bytes, ClassLogLayout.CLASS);
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
    DataOutputStream data = start(bytes, ClassLogLayout.CLASS);
    data.writeUTF(className);
    data.write(classFile);
    data.writeByte(Coverage.FULL.ordinal());
    bytes.toByteArray();
    out.append(new byte[0]);
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
    out.append(record);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
