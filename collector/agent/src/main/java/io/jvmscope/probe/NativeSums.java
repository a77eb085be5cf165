package io.jvmscope.probe;

import io.jvmscope.probe.NativeFile.Method;
import io.jvmscope.probe.NativeFile.OfMethod;
import java.io.IOException;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** What native methods did together, in the order of tables: by method, then by library. */
final class NativeSums {
  /** In place of the key of a method that is not known; the last in order. */
  private static final int UNKNOWN = Integer.MAX_VALUE;

  private record Key(int methodId, String library) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparingInt(Key::methodId)
            .thenComparing(Key::library, Comparator.nullsLast(Comparator.naturalOrder()));

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /** The sums of one method. */
  static final class Sums {
    long calls;
    long exceptions;
    long jniCalls;
    long selfNs;
  }

  /** Takes the sums of a method. */
  @FunctionalInterface
  interface Row {
    /**
     * Takes them.
     *
     * @param methodId -1: not known
     * @param library null: not known
     */
    void write(int methodId, String library, Sums sums) throws IOException;
  }

  private final Recording.Natives natives;
  private final Map<Key, Sums> sums = new TreeMap<>();

  NativeSums(Recording.Natives natives) {
    this.natives = natives;
  }

  void add(OfMethod called) {
    Method named = called.method();
    int id = named == null ? -1 : natives.find(named.className(), named.name(), named.descriptor());
    Key key = new Key(id < 0 ? UNKNOWN : id, named == null ? null : named.library());
    Sums sum = sums.computeIfAbsent(key, unknown -> new Sums());
    sum.calls += called.calls();
    sum.exceptions += called.exceptions();
    sum.jniCalls += called.jniCalls();
    sum.selfNs += called.selfNs();
  }

  /** Writes a row for each method, and forgets them. */
  void drain(Row row) throws IOException {
    for (Map.Entry<Key, Sums> entry : sums.entrySet()) {
      Key key = entry.getKey();
      row.write(key.methodId() == UNKNOWN ? -1 : key.methodId(), key.library(), entry.getValue());
    }
    sums.clear();
  }
}
