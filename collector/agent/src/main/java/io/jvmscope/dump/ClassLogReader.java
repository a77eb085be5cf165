package io.jvmscope.dump;

import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.classfile.ClassLogLayout;
import io.jvmscope.classfile.MethodPlan.Coverage;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads {@code classes.log}; {@link ClassLogLayout} has its layout. The last record may be cut off,
 * since the VM may have been killed while it wrote. Class files stay in the log until they are
 * asked for.
 */
final class ClassLogReader implements AutoCloseable {
  /**
   * A class that received calls.
   *
   * @param number under which the arena counts them
   * @param name as {@code Class.getName} has it, with slashes
   */
  record Receiver(int number, int loader, String name) {}

  private static final int FIRST_OF_PROGRAM = 2; // a loader that has classes of the program, too

  private final Path path;
  private final RandomAccessFile log;
  private final List<LoadedClass> classes = new ArrayList<>();
  private final Map<Integer, String> loaders = new HashMap<>();
  private final List<Receiver> receivers = new ArrayList<>();
  private final Map<Integer, Integer> hidden = new HashMap<>(); // first method ids by number
  private final Map<String, String> modules = new HashMap<>(); // by loader and package
  private final Set<String> prepared = new HashSet<>(); // loaders and packages

  /** Reads the heads of all records. */
  ClassLogReader(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new RecordingDamaged(path + ": no such file; the VM ended before recording began");
    }
    this.path = path;
    this.log = new RandomAccessFile(path.toFile(), "r");
    long length = log.length();
    for (long at = 0; at + 5 <= length; ) {
      log.seek(at);
      int record = log.readInt();
      if (record < 1) {
        throw new RecordingDamaged(path + ": record of " + record + " bytes at byte " + at);
      }
      if (at + 4 + record > length) {
        break;
      }
      read(at, record);
      at += 4 + record;
    }
  }

  private void read(long at, int length) throws IOException {
    byte[] head = new byte[Math.min(length, 1 << 16)];
    log.readFully(head);
    try (DataInputStream in = new DataInputStream(new java.io.ByteArrayInputStream(head))) {
      int kind = in.readUnsignedByte();
      switch (kind) {
        case ClassLogLayout.LOADER -> loaders.put(in.readInt(), in.readUTF());
        case ClassLogLayout.CLASS -> add(readClass(in, at + 4, length));
        case ClassLogLayout.RECEIVER ->
            receivers.add(new Receiver(in.readInt(), in.readInt(), in.readUTF()));
        case ClassLogLayout.HIDDEN_NUMBER -> hidden.put(in.readInt(), in.readInt());
        case ClassLogLayout.MODULE -> modules.put(in.readInt() + in.readUTF(), in.readUTF());
        default -> throw new RecordingDamaged(path + ": record of kind " + kind + " at " + at);
      }
    } catch (IOException e) {
      throw new RecordingDamaged(path + ": record at byte " + at + " ends too early");
    }
  }

  private void add(LoadedClass loaded) {
    classes.add(loaded);
    if (loaded.isPrepared()) {
      prepared.add(packageOf(loaded));
    }
  }

  private LoadedClass readClass(DataInputStream in, long at, int length) throws IOException {
    int loader = in.readInt();
    int baseId = in.readInt();
    int flags = in.readInt();
    String name = in.readUTF();
    Coverage[] coverage = new Coverage[in.readInt()];
    long fileLengthAt = at + length;
    for (int k = 0; k < coverage.length; k++) {
      coverage[k] = Coverage.values()[in.readUnsignedByte() % Coverage.values().length];
    }
    int fileLength = in.readInt();
    return new LoadedClass(
        loader, baseId, flags, name, coverage, fileLengthAt - fileLength, fileLength);
  }

  /** In the order of loading. */
  List<LoadedClass> classes() {
    return classes;
  }

  /** Name of a loader's class, by the loader's number from 3 on. */
  Map<Integer, String> loaders() {
    return loaders;
  }

  /** Classes that received calls, if that was recorded. */
  List<Receiver> receivers() {
    return receivers;
  }

  /** First method ids of hidden classes by the number under which the arena counts them. */
  Map<Integer, Integer> hidden() {
    return hidden;
  }

  /** Name of the module of a class as the VM told it; null if it is none of the program's. */
  String module(LoadedClass loaded) {
    return modules.get(packageOf(loaded));
  }

  /**
   * Whether a class is in a package of the JDK: one of which the loader has prepared classes, or
   * any of the loaders that have no others, boot and platform.
   */
  boolean isInJdk(LoadedClass loaded) {
    return loaded.loader() < FIRST_OF_PROGRAM || prepared.contains(packageOf(loaded));
  }

  private static String packageOf(LoadedClass loaded) {
    String name = loaded.name();
    return loaded.loader() + name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }

  /** The class file of a class that is not prepared. */
  byte[] file(LoadedClass loaded) throws IOException {
    byte[] bytes = new byte[loaded.fileLength()];
    log.seek(loaded.fileAt());
    log.readFully(bytes);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
