package jdk.internal.perf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;

/** The command line of this VM, without what the recording added to it. */
public final class CommandLine {
  private static final Unsafe U = Unsafe.getUnsafe();

  /** The system gives no more of a command line; of a longer one the JDK tells no arguments. */
  private static final int LIMIT = 4096;

  private static String[] added = {};
  private static String[] words; // null: the command line is as it was written
  private static long pid;

  private CommandLine() {}

  /**
   * Tells what to show.
   *
   * @param own this process
   * @param written the words of the command line as they were before; null: nothing was added
   * @param options those that were added for the VM, in their order
   */
  public static void show(long own, String[] written, String[] options) {
    pid = own;
    words = written;
    added = options;
  }

  /** The VM's options, without those added, which follow each other. */
  @Hidden
  public static String[] visible(String[] options) {
    long slot = ThreadSlot.pause();
    try {
      int at = options == null || added.length == 0 ? -1 : lastIndex(options);
      if (at < 0) {
        return options;
      }
      List<String> kept = new ArrayList<>(Arrays.asList(options));
      kept.subList(at, at + added.length).clear();
      return kept.toArray(new String[0]);
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  private static int lastIndex(String[] options) {
    for (int at = options.length - added.length; at >= 0; at--) {
      if (Arrays.equals(options, at, at + added.length, added, 0, added.length)) {
        return at;
      }
    }
    return -1;
  }

  /** What ProcessHandle tells of a process: of this one, the words as they were written. */
  @Hidden
  public static void disguise(Object info, long process) {
    if (words == null || process != pid) {
      return;
    }
    long slot = ThreadSlot.pause();
    try {
      int length = 0;
      for (String word : words) {
        length += word.getBytes().length + 1;
      }
      boolean isWhole = length < LIMIT;
      String[] arguments = isWhole ? Arrays.copyOfRange(words, 1, words.length) : null;
      U.putReference(info, Fields.ARGUMENTS, arguments);
      String line = String.join(" ", words);
      U.putReference(info, Fields.LINE, isWhole ? null : line.substring(0, LIMIT - 1));
    } finally {
      ThreadSlot.resume(slot);
    }
  }

  /** Looked for when a program asks. */
  private static final class Fields {
    private static final long ARGUMENTS;
    private static final long LINE;

    static {
      Class<?> type;
      try {
        type = Class.forName("java.lang.ProcessHandleImpl$Info");
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
      ARGUMENTS = U.objectFieldOffset(type, "arguments");
      LINE = U.objectFieldOffset(type, "commandLine");
    }
  }
}
