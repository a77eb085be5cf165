import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;

/**
 * Keeps more and fewer objects from phase to phase. An array of four MiB, which dies at once, is
 * allocated behind each; with a file, what is in use by then is written there, after a collection.
 */
final class Phases {
  private static final int COUNT = 20_000;

  static final class Link {
    Link next;
    Link back;
  }

  static Object[] kept = new Object[8];
  static long[] used = new long[8];
  static int phase;

  private Phases() {}

  private static void end(boolean isMeasured) {
    if (isMeasured) {
      System.gc();
      System.gc();
      used[phase] = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    } else {
      mark();
    }
    phase++;
  }

  private static void mark() {
    byte[] mark = new byte[4 << 20];
  }

  private static Object cycle() {
    Link first = new Link();
    Link last = first;
    for (int k = 1; k < COUNT; k++) {
      Link link = new Link();
      link.back = last;
      last.next = link;
      last = link;
    }
    last.next = first;
    first.back = last;
    return first;
  }

  private static Object table() {
    HashMap<Integer, long[]> table = new HashMap<>();
    for (int k = 0; k < COUNT; k++) {
      table.put(1000 + k, new long[k % 5]);
    }
    return table;
  }

  private static Object queue() {
    ArrayDeque<String> queue = new ArrayDeque<>();
    for (int k = 0; k < COUNT; k++) {
      queue.add(new String(new char[] {'a', (char) ('a' + k % 26)}));
      if (k % 2 == 1) {
        queue.remove();
      }
    }
    return queue;
  }

  private static Object copies() {
    Object[] copies = new Object[COUNT];
    int[] first = new int[10];
    for (int k = 0; k < COUNT; k++) {
      copies[k] = first.clone();
    }
    return copies;
  }

  public static void main(String[] args) throws IOException {
    boolean isMeasured = args.length > 0;
    end(isMeasured);
    kept[0] = cycle();
    end(isMeasured);
    kept[1] = table();
    end(isMeasured);
    kept[0] = null;
    end(isMeasured);
    kept[2] = queue();
    kept[3] = copies();
    end(isMeasured);
    kept[1] = null;
    kept[4] = cycle();
    end(isMeasured);
    ((Object[]) kept[3])[7] = kept[4];
    kept[4] = null;
    kept[2] = null;
    end(isMeasured);
    kept = new Object[8];
    end(isMeasured);
    if (isMeasured) {
      StringBuilder lines = new StringBuilder();
      for (long each : used) {
        lines.append(each).append('\n');
      }
      Files.writeString(Path.of(args[0]), lines);
    }
  }
}
