package io.jvmscope.agent;

import io.jvmscope.agent.JdkImageClasses.Source;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.JdkIndex;
import io.jvmscope.probe.Probes;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Instruments, ahead of time, what the JDK that runs it needs before the agent is there or cannot
 * get from it: java.base, java.instrument and the classes of other modules that have edits of their
 * own. The agent instruments the rest, three classes of four, as they are loaded:
 *
 * <pre>java -cp jvmscope-agent.jar io.jvmscope.agent.PrepareJdk OPTION… --out DIRECTORY
 * java -cp jvmscope-agent.jar io.jvmscope.agent.PrepareJdk OPTION… --merge PATH:PATH --base DIRECTORY --out DIRECTORY
 * java -cp jvmscope-agent.jar io.jvmscope.agent.PrepareJdk --natives --out DIRECTORY
 * </pre>
 *
 * The second form instruments a user's own patch of java.base; the third instruments nothing, and
 * only writes {@code replaced-natives.txt}. An option chooses a probe, as in the agent's options:
 * {@code probes=receivers}. The directory then holds {@code java.base.jar} and {@code
 * java.instrument.jar} for {@code --patch-module}, {@code seeded.jar} (the classes whose seeds stay
 * those of the clock, for runs that are not deterministic), {@code jdk.pack}, {@code jdk.index} and
 * {@code jdk.fields} for the agent, {@code intrinsics.txt}, {@code replaced-natives.txt} and {@code
 * prepared.json}.
 */
public final class PrepareJdk {
  private static final String BASE = "java.base";

  /** The agent's own module must be there before the agent; so both are patched. */
  private static final List<String> PATCHED_MODULES = List.of(BASE, "java.instrument");

  /** So many classes are in memory, instrumented, before they are written. */
  private static final int AT_ONCE = 1024;

  private final JdkImageClasses classes = new JdkImageClasses();
  private final Summary summary = new Summary();
  private final JdkIndexWriter index;
  private final ThreadLocal<Instrumenter> instrumenters;
  private final Probes probes;
  private final JdkFields fields;
  private final List<Source> packed = new ArrayList<>();

  private record Instrumented(ClassFile file, Instrumenter.Result result) {}

  /** Gets the classes one after the other. */
  private interface Taker {
    void take(Instrumented instrumented) throws IOException;
  }

  private final ReplacedNatives replacedNatives = new ReplacedNatives();

  private PrepareJdk(Probes probes) throws IOException {
    this.probes = probes;
    List<JdkIndexWriter.Entry> entries = new ArrayList<>();
    Set<String> missing = new TreeSet<>(JdkEdits.NEEDED);
    List<JdkFields.Entry> declared = new ArrayList<>();
    for (Source source : classes.all()) {
      ClassFile file = source.read();
      entries.add(new JdkIndexWriter.Entry(file));
      missing.remove(file.name());
      replacedNatives.add(file);
      if (!PATCHED_MODULES.contains(source.module())) {
        if (JdkEdits.areWrittenFor(file, probes)) {
          packed.add(source);
        } else {
          summary.addUnprepared(file);
        }
      }
      declared.add(JdkFields.Entry.of(file));
      JdkEdits.checkFields(file);
      if (file.name().startsWith("java/lang/System$")) {
        List.of(file.interfaces()).forEach(missing::remove);
      }
    }
    if (!missing.isEmpty()) {
      throw Bodies.lacks("the class library", missing.toString());
    }
    index = new JdkIndexWriter(entries);
    byte[] found = index.toBytes();
    instrumenters =
        ThreadLocal.withInitial(() -> new Instrumenter(new JdkIndex(found), probes)); // remembers
    fields = new JdkFields(JdkFields.write(declared));
  }

  public static void main(String[] arguments) throws IOException {
    try {
      run(arguments);
    } catch (SnippetGuards.GuardFailed e) { // the user's business: no trace of ours
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private static void run(String[] arguments) throws IOException {
    Path out = null;
    Path base = null;
    Path snippets = null;
    String merge = null;
    boolean listsNatives = false;
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--out" -> out = Path.of(arguments[++i]);
        case "--base" -> base = Path.of(arguments[++i]);
        case "--snippets" -> snippets = Path.of(arguments[++i]);
        case "--merge" -> merge = arguments[++i];
        case "--natives" -> listsNatives = true;
        default -> addOption(options, arguments[i]);
      }
    }
    if (out == null || merge != null && base == null) {
      throw refused("--out DIRECTORY is required, and --base with --merge");
    }
    Probes probes = Probes.of(options);
    if ((probes.snippets() == null) != (snippets == null)) {
      throw refused("--snippets DIRECTORY and the option snippets need each other");
    }
    if (snippets != null) {
      probes.snippets().guard(new SnippetGuards(snippets));
    }
    Files.createDirectories(out);
    if (listsNatives) {
      ReplacedNatives.writeAlone(out);
    } else if (merge == null) {
      new PrepareJdk(probes).write(out, snippets);
    } else {
      PatchMerger.merge(merge, base, out, probes);
    }
  }

  private static void addOption(Map<String, String> options, String argument) {
    int equals = argument.indexOf('=');
    if (equals < 0 || !Probes.isOption(argument.substring(0, equals))) {
      throw refused("unknown option " + argument);
    }
    options.put(argument.substring(0, equals), argument.substring(equals + 1));
  }

  private static IllegalArgumentException refused(String reason) {
    return new IllegalArgumentException("PrepareJdk: " + reason);
  }

  /**
   * Writes it all; snippets: the compiled classes of the user's own probe, null if there is none.
   */
  private void write(Path out, Path snippets) throws IOException {
    SnippetClasses own = snippets == null ? null : new SnippetClasses(snippets);
    for (String module : PATCHED_MODULES) {
      PatchJar patch = patchOf(module);
      if (module.equals(BASE)) {
        addRuntime(patch);
        if (own != null) {
          own.addTo(patch, probes.snippets());
        }
      }
      patch.write(out.resolve(module + ".jar"));
    }
    seeded().write(out.resolve("seeded.jar"));
    writePack(out.resolve("jdk.pack"));
    Files.write(out.resolve("jdk.index"), index.toBytes());
    fields.write(out);
    Files.write(out.resolve("sample.class"), resource("Agent.class"));
    Path javaHome = Path.of(System.getProperty("java.home"));
    Files.writeString(out.resolve("intrinsics.txt"), Intrinsics.disabled(javaHome));
    replacedNatives.write(out);
    summary.write(out, probes);
  }

  private PatchJar patchOf(String module) throws IOException {
    PatchJar patch = new PatchJar();
    instrument(
        classes.ofModule(module),
        true,
        done -> {
          patch.add(done.file.name(), done.result.bytes());
          index.entry(done.file.name()).flags |= JdkIndex.PATCHED;
        });
    return patch;
  }

  private void addRuntime(PatchJar patch) throws IOException {
    for (String name : RuntimeClasses.COMPILED) {
      patch.add(name, resource("/runtime/" + name + ".class"));
    }
    patch.add(RuntimeClasses.BRIDGE, BridgeGenerator.generate());
  }

  private PatchJar seeded() throws IOException {
    PatchJar patch = new PatchJar();
    instrument(
        classes.ofModule(BASE).stream()
            .filter(source -> DeterminismEdits.isTwofold(source.className()))
            .toList(),
        false,
        done -> patch.add(done.file.name(), done.result.bytes()));
    return patch;
  }

  private void writePack(Path path) throws IOException {
    try (OutputStream pack = new BufferedOutputStream(Files.newOutputStream(path), 1 << 20)) {
      long[] at = {0};
      instrument(
          packed,
          true,
          done -> {
            byte[] bytes = done.result.bytes();
            pack.write(bytes);
            JdkIndexWriter.Entry entry = index.entry(done.file.name());
            entry.flags |= JdkIndex.PACKED;
            entry.packOffset = at[0];
            entry.packLength = bytes.length;
            at[0] += bytes.length;
          });
    }
  }

  /** Instruments classes on all processors, and hands them over in their order. */
  private void instrument(List<Source> sources, boolean deterministic, Taker taker)
      throws IOException {
    for (int k = 0; k < sources.size(); k += AT_ONCE) {
      Stream<Source> part = sources.subList(k, Math.min(k + AT_ONCE, sources.size())).stream();
      if (probes.snippets() == null || !probes.snippets().haveGuards()) { // else they would meet
        part = part.parallel();
      }
      for (Instrumented done : part.map(source -> instrument(source, deterministic)).toList()) {
        JdkIndexWriter.Entry entry = index.entry(done.file.name());
        if (entry.coverage == null) { // the seeded form of a class comes second
          summary.add(done.file, done.result.coverage());
        }
        entry.coverage = done.result.coverage();
        taker.take(done);
      }
    }
  }

  private Instrumented instrument(Source source, boolean deterministic) {
    ClassFile file;
    try {
      file = source.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Calls calls = source.module().equals(BASE) ? Calls.DIRECT : Calls.THROUGH_OBJECT;
    List<ClassEdit> edits = JdkEdits.of(file, calls, deterministic, probes);
    boolean needsKeys = FieldKeys.areWanted(probes.chosen());
    FieldKeys keys = JdkFields.keysOf(needsKeys ? fields : null, file.name());
    int baseId = index.entry(file.name()).baseId;
    return new Instrumented(
        file, instrumenters.get().instrument(file, baseId, true, calls, keys, edits));
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = PrepareJdk.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the agent's jar lacks " + name);
      }
      return in.readAllBytes();
    }
  }
}
