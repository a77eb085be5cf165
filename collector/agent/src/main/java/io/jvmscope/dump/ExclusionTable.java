package io.jvmscope.dump;

import java.io.IOException;

/** Writes table {@code exclusion}. */
final class ExclusionTable {
  private final TextColumn className = new TextColumn("class_name");
  private final TextColumn methodName = new TextColumn("method_name");
  private final TextColumn descriptor = new TextColumn("descriptor");
  private final TextColumn reason = new TextColumn("reason");
  private final Table table;

  ExclusionTable(FrameWriter out) throws IOException {
    table = new Table(out, "exclusion", className, methodName, descriptor, reason);
  }

  /** Adds a method, or a whole class if the method's name is null. */
  void add(String ofClass, String method, String ofDescriptor, String why) throws IOException {
    className.add(ofClass);
    methodName.add(method);
    descriptor.add(ofDescriptor);
    reason.add(why);
    table.endRow();
  }

  /** Rows so far. */
  long count() {
    return table.total();
  }

  void finish() throws IOException {
    table.finish();
  }
}
