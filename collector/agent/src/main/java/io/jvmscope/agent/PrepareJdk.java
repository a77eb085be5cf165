package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.classfile.Probes;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Instruments the modules of the JDK that runs it, ahead of time:
 *
 * <pre>java -cp jvmscope-agent.jar io.jvmscope.agent.PrepareJdk --out DIRECTORY
 *java -cp jvmscope-agent.jar io.jvmscope.agent.PrepareJdk --merge PATH:PATH --base DIRECTORY --out DIRECTORY</pre>
 *
 * The second form instruments a user's own patch of java.base. The directory then holds {@code
 * java.base.jar} and {@code java.instrument.jar} for {@code --patch-module}, {@code seeded.jar} (the
 * classes whose seeds stay those of the clock, for runs that are not deterministic), {@code jdk.pack}
 * and {@code jdk.index} for the agent, {@code intrinsics.txt} and {@code prepared.json}.
 */
public final class PrepareJdk {
  private static final List<String> PATCHED_MODULES = List.of("java.base", "java.instrument");
  private static final List<String> RUNTIME =
      List.of("java/lang/CallingContext", "java/lang/CallingContext$Listener");

  private final Path out;
  private final Probes probes;
  private final List<String> exclusions = new ArrayList<>();
  private long classCount;
  private long methodCount;

  private PrepareJdk(Path out, Probes probes) {
    this.out = out;
    this.probes = probes;
  }

  /** A class of a module. */
  private record Source(String module, Path path) {}

  public static void main(String[] arguments) throws IOException {
    Path out = null;
    Path base = null;
    String merge = null;
    boolean exact = false;
    boolean receivers = false;
    boolean order = false;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--out" -> out = Path.of(arguments[++i]);
        case "--base" -> base = Path.of(arguments[++i]);
        case "--merge" -> merge = arguments[++i];
        case "--exact-exceptions" -> exact = true;
        case "--receivers" -> receivers = true;
        case "--order" -> order = true;
        default -> {
          System.err.println("PrepareJdk: unknown option " + arguments[i]);
          System.exit(2);
        }
      }
    }
    if (out == null || merge != null && base == null) {
      System.err.println("PrepareJdk: --out DIRECTORY is needed, and --base with --merge");
      System.exit(2);
    }
    PrepareJdk preparation = new PrepareJdk(out, new Probes(exact, receivers, order));
    if (merge == null) {
      preparation.prepare();
    } else {
      preparation.merge(merge, base);
    }
  }

  private void prepare() throws IOException {
    Files.createDirectories(out);
    List<Source> sources = findClasses();
    List<JdkIndexWriter.Entry> entries = new ArrayList<>();
    Set<String> baseNames = new HashSet<>();
    for (Source source : sources) {
      ClassFile file = new ClassFile(Files.readAllBytes(source.path));
      entries.add(new JdkIndexWriter.Entry(file));
      if (source.module.equals("java.base")) {
        baseNames.add(file.name());
      }
    }
    JdkIndexWriter index = new JdkIndexWriter(entries);
    JdkIndex leaves = new JdkIndex(index.toBytes());
    Instrumenter instrumenter = new Instrumenter(leaves, probes);
    for (String module : PATCHED_MODULES) {
      writePatch(module, sources, index, instrumenter, baseNames);
    }
    writeSeeded(sources, index, instrumenter);
    writePack(sources, index, instrumenter);
    Files.write(out.resolve("jdk.index"), index.toBytes());
    Path javaHome = Path.of(System.getProperty("java.home"));
    Files.writeString(out.resolve("intrinsics.txt"), Intrinsics.disabled(javaHome));
    writeSummary();
  }

  private static List<Source> findClasses() throws IOException {
    FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
    List<Source> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(image.getPath("/modules"))) {
      for (Path module : modules.sorted().toList()) {
        try (Stream<Path> files = Files.walk(module)) {
          files
              .filter(p -> p.toString().endsWith(".class"))
              .filter(p -> !p.getFileName().toString().equals("module-info.class"))
              .sorted()
              .forEach(p -> sources.add(new Source(module.getFileName().toString(), p)));
        }
      }
    }
    return sources;
  }

  private void writePatch(
      String module,
      List<Source> sources,
      JdkIndexWriter index,
      Instrumenter instrumenter,
      Set<String> baseNames)
      throws IOException {
    TreeMap<String, byte[]> patch = new TreeMap<>();
    for (Source source : sources) {
      if (source.module.equals(module)) {
        ClassFile file = new ClassFile(Files.readAllBytes(source.path));
        JdkIndexWriter.Entry entry = index.entry(file.name());
        patch.put(file.name(), instrument(file, entry, instrumenter, Calls.DIRECT, true));
        entry.flags |= JdkIndex.PATCHED;
      }
    }
    if (module.equals("java.base")) {
      for (String name : RUNTIME) {
        patch.put(name, resource("/runtime/" + name + ".class"));
      }
      patch.put("java/lang/JdkBridge", BridgeGenerator.generate(baseNames));
    }
    writeJar(out.resolve(module + ".jar"), patch);
  }

  private void writeSeeded(
      List<Source> sources, JdkIndexWriter index, Instrumenter instrumenter) throws IOException {
    TreeMap<String, byte[]> classes = new TreeMap<>();
    for (Source source : sources) {
      String name = source.path.subpath(2, source.path.getNameCount()).toString();
      if (JdkEdits.SEEDED.contains(name.substring(0, name.length() - ".class".length()))) {
        ClassFile file = new ClassFile(Files.readAllBytes(source.path));
        JdkIndexWriter.Entry entry = index.entry(file.name());
        classes.put(file.name(), instrument(file, entry, instrumenter, Calls.DIRECT, false));
      }
    }
    writeJar(out.resolve("seeded.jar"), classes);
  }

  private void writePack(
      List<Source> sources, JdkIndexWriter index, Instrumenter instrumenter) throws IOException {
    long at = 0;
    try (OutputStream pack =
        new BufferedOutputStream(Files.newOutputStream(out.resolve("jdk.pack")), 1 << 20)) {
      for (Source source : sources) {
        if (PATCHED_MODULES.contains(source.module)) {
          continue;
        }
        ClassFile file = new ClassFile(Files.readAllBytes(source.path));
        JdkIndexWriter.Entry entry = index.entry(file.name());
        byte[] bytes = instrument(file, entry, instrumenter, Calls.THROUGH_OBJECT, true);
        pack.write(bytes);
        entry.flags |= JdkIndex.PACKED;
        entry.packOffset = at;
        entry.packLength = bytes.length;
        at += bytes.length;
      }
    }
  }

  private byte[] instrument(
      ClassFile file,
      JdkIndexWriter.Entry entry,
      Instrumenter instrumenter,
      Calls calls,
      boolean deterministic) {
    Instrumenter.Result result =
        instrumenter.instrument(
            file,
            entry.baseId,
            true,
            calls,
            JdkEdits.of(file.name(), deterministic));
    noteCoverage(file, entry, result.coverage());
    return result.bytes();
  }

  private void noteCoverage(ClassFile file, JdkIndexWriter.Entry entry, Coverage[] coverage) {
    boolean isFirst = entry.coverage == null; // the seeded form of a class comes second
    entry.coverage = coverage;
    if (!isFirst) {
      return;
    }
    classCount++;
    methodCount += coverage.length;
    for (ClassFile.Method method : file.methods()) {
      if (method.code() != null && coverage[method.index()] != Coverage.FULL) {
        String reason = Exclusions.reason(file, method);
        exclusions.add(
            String.join(
                "\t",
                file.name(),
                method.name(),
                method.descriptor(),
                reason != null ? reason : defaultReason(method)));
      }
    }
  }

  private static String defaultReason(ClassFile.Method method) {
    return method.name().equals("finalize")
        ? "empty, which tells the VM that there is nothing to finalise"
        : "larger than 64 KB when instrumented";
  }

  private void merge(String paths, Path base) throws IOException {
    Files.createDirectories(out);
    JdkIndex index = JdkIndex.read(base);
    Instrumenter instrumenter = new Instrumenter(index, probes);
    TreeMap<String, byte[]> patch = new TreeMap<>();
    String[] parts = paths.split(java.io.File.pathSeparator);
    for (int i = parts.length - 1; i >= 0; i--) { // the first of several wins
      for (byte[] bytes : classesOf(Path.of(parts[i]))) {
        ClassFile file = new ClassFile(bytes);
        int row = index.row(file.name());
        boolean fits = row >= 0 && index.methodCount(row) == file.methods().size();
        patch.put(file.name(), fits ? mergeOne(file, index, row, instrumenter) : bytes);
      }
    }
    writeJar(out.resolve("java.base.jar"), patch);
  }

  private static byte[] mergeOne(
      ClassFile file, JdkIndex index, int row, Instrumenter instrumenter) {
    return instrumenter
        .instrument(
            file,
            index.baseId(row),
            true,
            Calls.DIRECT,
            JdkEdits.of(file.name(), true))
        .bytes();
  }

  private static List<byte[]> classesOf(Path path) throws IOException {
    List<byte[]> found = new ArrayList<>();
    if (Files.isDirectory(path)) {
      try (Stream<Path> files = Files.walk(path)) {
        for (Path file : files.filter(p -> p.toString().endsWith(".class")).sorted().toList()) {
          found.add(Files.readAllBytes(file));
        }
      }
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(path)) {
        for (Path root : jar.getRootDirectories()) {
          found.addAll(classesOf(root));
        }
      }
    }
    return found;
  }

  private void writeSummary() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String exclusion : exclusions) {
      lines.append(exclusion).append('\n');
    }
    Files.writeString(out.resolve("exclusions.tsv"), lines);
    String json =
        String.format(
            "{\"java_version\": \"%s\", \"vm_version\": \"%s\", \"classes\": %d, \"methods\": %d,"
                + " \"exact_exceptions\": %b, \"receivers\": %b, \"order\": %b}%n",
            System.getProperty("java.version"),
            System.getProperty("java.vm.version"),
            classCount,
            methodCount,
            probes.exactExceptions(),
            probes.receivers(),
            probes.order());
    Files.writeString(out.resolve("prepared.json"), json);
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = PrepareJdk.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the agent's jar lacks " + name);
      }
      return in.readAllBytes();
    }
  }

  /** A jar of stored entries without times: the same classes make the same bytes. */
  private static void writeJar(Path path, TreeMap<String, byte[]> classes) throws IOException {
    try (ZipOutputStream jar =
        new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(path), 1 << 20))) {
      jar.setMethod(ZipOutputStream.STORED);
      classes.forEach(
          (name, bytes) -> {
            try {
              ZipEntry entry = new ZipEntry(name + ".class");
              CRC32 crc = new CRC32();
              crc.update(bytes);
              entry.setCrc(crc.getValue());
              entry.setSize(bytes.length);
              entry.setTime(0);
              jar.putNextEntry(entry);
              jar.write(bytes);
              jar.closeEntry();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }
}
