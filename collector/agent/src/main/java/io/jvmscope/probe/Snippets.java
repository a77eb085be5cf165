package io.jvmscope.probe;

import io.jvmscope.classfile.MethodPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A probe of a user's own: snippets that run at points of the program, and tables that they count
 * in. A node has a slot with the counts of its context. What the compiler of snippets found is the
 * value of an option, so that whoever needs it has it: who prepares a JDK, the agent, the dump.
 */
public final class Snippets implements Probe {
  static final String OPTION = "snippets";

  /** With what the names of its classes begin in java.base. */
  public static final String CLASSES = "jdk/internal/perf/own$";

  /** The generated class with a method for each snippet. */
  public static final String CALLS = "jdk/internal/perf/SnippetCalls";

  /**
   * A table of the probe.
   *
   * @param counters its columns of counts
   * @param kinds of its keys, as {@code SnippetKeys} has them
   * @param within what its rows belong to
   */
  record OwnTable(String name, String[] counters, String kinds, String within, String ddl) {}

  /** Says at which places a snippet with a guard is inserted. */
  @FunctionalInterface
  public interface Guard {
    boolean allows(Snippet snippet, String[] method, String target, String opcode, boolean isJdk);
  }

  private final String text;
  private final String preparedIn;
  private final List<Snippet> snippets = new ArrayList<>();
  private final List<OwnTable> tables = new ArrayList<>();
  private Guard guard;

  /** The probe of a description; null: none, as in the list of all probes. */
  Snippets(String text) {
    this(text, null);
  }

  private Snippets(String text, String preparedIn) {
    this.text = text;
    this.preparedIn = preparedIn;
    for (String line : text == null ? new String[0] : decoded(text).split("\n")) {
      String[] fields = line.split("\t", -1);
      if (fields[0].equals("table")) {
        tables.add(new OwnTable(fields[1], fields[2].split(","), fields[3], fields[4], fields[5]));
      } else if (fields[0].equals("snippet")) {
        snippets.add(Snippet.of(snippets.size(), fields));
      }
    }
  }

  /** Characters that a word of options must not have are written as % and two digits. */
  private static String decoded(String text) {
    byte[] bytes = new byte[text.length()];
    int n = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        bytes[n++] = (byte) Integer.parseInt(text.substring(i + 1, i + 3), 16);
        i += 2;
      } else {
        bytes[n++] = (byte) c;
      }
    }
    return new String(bytes, 0, n, StandardCharsets.UTF_8);
  }

  public List<Snippet> snippets() {
    return snippets;
  }

  /** Directory of the prepared JDK that has its classes; null where nobody asks. */
  String preparedIn() {
    return preparedIn;
  }

  List<OwnTable> tables() {
    return tables;
  }

  /** The table of the column of counts with a number. */
  OwnTable tableOf(int counter) {
    int left = counter;
    int table = 0;
    while (left >= tables.get(table).counters().length) {
      left -= tables.get(table++).counters().length;
    }
    return tables.get(table);
  }

  static String ddl(OwnTable table) {
    return new String(Base64.getDecoder().decode(table.ddl()), StandardCharsets.UTF_8);
  }

  /** The columns of counts, as {@code TABLE.COLUMN}, in the order of their numbers. */
  public String[] counters() {
    List<String> names = new ArrayList<>();
    for (OwnTable table : tables) {
      for (String counter : table.counters()) {
        names.add(table.name() + "." + counter);
      }
    }
    return names.toArray(new String[0]);
  }

  /** The kinds of keys of each of these columns. */
  public String[] kinds() {
    List<String> kinds = new ArrayList<>();
    for (OwnTable table : tables) {
      for (int k = 0; k < table.counters().length; k++) {
        kinds.add(table.kinds());
      }
    }
    return kinds.toArray(new String[0]);
  }

  /** Who is asked from now on. */
  public void guard(Guard asked) {
    guard = asked;
  }

  /** Is there a guard, whose answers may depend on what it was asked before? */
  public boolean haveGuards() {
    for (Snippet snippet : snippets) {
      if (!snippet.guard().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Is a snippet inserted at a place that its scope has? */
  public boolean allows(
      Snippet snippet, String[] method, String target, String opcode, boolean isJdk) {
    return snippet.guard().isEmpty() || guard.allows(snippet, method, target, opcode, isJdk);
  }

  @Override
  public String option() {
    return OPTION;
  }

  @Override
  public Probe chosenBy(Map<String, String> options) {
    String value = options.get(OPTION);
    return value == null || value.isEmpty() ? null : new Snippets(value, options.get("cache"));
  }

  @Override
  public int slots(MethodPlan plan) {
    return 1;
  }

  /** The slot, and the key and number of the instructions, which places are told by. */
  @Override
  public int[] pack(MethodPlan plan, FirstKeys keys) {
    int[] share = {plan.slotOf(this), keys.instruction(), plan.blocks().instructionCount()};
    return share;
  }

  @Override
  public ProbeTables tables(Recording recording) throws IOException {
    return new SnippetTables(recording, this);
  }

  @Override
  public String toString() {
    return OPTION + " " + (text == null ? "" : text.hashCode());
  }
}
