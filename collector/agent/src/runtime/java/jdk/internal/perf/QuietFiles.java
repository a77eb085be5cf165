package jdk.internal.perf;

import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.IOException;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/**
 * Files of the recording, read and written past the class library. Its methods write an event into
 * the program's flight recordings, and must not here: the file is none of the program's, and the VM
 * may have loaded the class that is read or logged in the middle of another event of the same
 * thread, which two at a time would spoil.
 */
public final class QuietFiles {
  private static final Unsafe U = Unsafe.getUnsafe();

  /** What the JDK's natives return when a signal came first: sun.nio.ch.IOStatus.INTERRUPTED. */
  static final int INTERRUPTED = -3;

  private QuietFiles() {}

  /** Writes bytes to a file at an offset, by one system call unless that writes less. */
  @Hidden
  public static void write(FileDescriptor file, byte[] bytes, long offset) throws IOException {
    long memory = U.allocateMemory(bytes.length);
    try {
      U.copyMemory(bytes, JdkBridge.arrayBase(), null, memory, bytes.length);
      int done = 0;
      do {
        int more = JdkBridge.write(file, memory + done, bytes.length - done, offset + done);
        if (more < 0 && more != INTERRUPTED) {
          throw new IOException("not written: " + more);
        }
        done += more < 0 ? 0 : more;
      } while (done < bytes.length);
    } finally {
      U.freeMemory(memory);
    }
  }

  /** Fills an array with the bytes of a file from an offset. */
  @Hidden
  public static void read(FileDescriptor file, byte[] bytes, long offset) throws IOException {
    long memory = U.allocateMemory(bytes.length);
    try {
      for (int done = 0; done < bytes.length; ) {
        int more = JdkBridge.read(file, memory + done, bytes.length - done, offset + done);
        if (more < 0 && more != INTERRUPTED) {
          throw new EOFException();
        }
        done += more < 0 ? 0 : more;
      }
      U.copyMemory(null, memory, bytes, JdkBridge.arrayBase(), bytes.length);
    } finally {
      U.freeMemory(memory);
    }
  }
}
