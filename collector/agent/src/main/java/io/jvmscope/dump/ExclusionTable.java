package io.jvmscope.dump;

import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Table;
import io.jvmscope.tables.TextColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects what was not counted in full, and writes table {@code exclusion}. */
final class ExclusionTable {
  private record Exclusion(String className, String method, String descriptor, String reason) {}

  private static final Comparator<String> NULL_FIRST =
      Comparator.nullsFirst(Comparator.naturalOrder());

  /** Another version of a class, or one of another loader, adds nothing that is not said. */
  private final Set<Exclusion> exclusions = new LinkedHashSet<>();

  /** Adds a method, or a whole class if the method's name is null. */
  void add(String className, String method, String descriptor, String reason) {
    exclusions.add(new Exclusion(className, method, descriptor, reason));
  }

  /** Rows so far. */
  long count() {
    return exclusions.size();
  }

  /** Writes the table, in order of class, method and descriptor. */
  void write(FrameWriter out) throws IOException {
    List<Exclusion> sorted = new ArrayList<>(exclusions);
    sorted.sort(
        Comparator.comparing(Exclusion::className)
            .thenComparing(Exclusion::method, NULL_FIRST)
            .thenComparing(Exclusion::descriptor, NULL_FIRST));
    TextColumn className = new TextColumn("class_name");
    TextColumn method = new TextColumn("method_name");
    TextColumn descriptor = new TextColumn("descriptor");
    TextColumn reason = new TextColumn("reason");
    Table table = new Table(out, "exclusion", className, method, descriptor, reason);
    for (Exclusion exclusion : sorted) {
      className.add(exclusion.className());
      method.add(exclusion.method());
      descriptor.add(exclusion.descriptor());
      reason.add(exclusion.reason());
      table.endRow();
    }
    table.finish();
  }
}
