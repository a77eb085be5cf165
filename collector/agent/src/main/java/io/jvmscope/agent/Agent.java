package io.jvmscope.agent;

import io.jvmscope.classfile.JdkIndex;
import io.jvmscope.layout.HeapModel;
import io.jvmscope.probe.Snippet;
import io.jvmscope.probe.Snippets;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.perf.LifetimeLayout;

/**
 * The agent's start, before {@code main}: has the tree move into its file, logs what is loaded
 * already, and listens for classes from then on. The VM calls it with recording paused.
 */
public final class Agent {
  /** The file of the probe lifetimes, which may be larger than memory. */
  private static final String LIFETIMES = "lifetimes";

  private Agent() {}

  /** Called by the VM. */
  public static void premain(String optionsFile, Instrumentation instrumentation) {
    try {
      start(optionsFile, instrumentation);
    } catch (IOException e) {
      Beginning.fail(e);
    }
  }

  private static void start(String optionsFile, Instrumentation instrumentation)
      throws IOException {
    Beginning begun = Beginning.of(optionsFile);
    if (begun == null) {
      return;
    }
    RuntimeClasses.load();
    AgentOptions options = begun.options;
    Messages messages = begun.messages;
    JdkIndex index = JdkIndex.read(options.cache);
    RandomAccessFile pack = new RandomAccessFile(options.cache.resolve("jdk.pack").toFile(), "r");
    ClassLog log = new ClassLog(options.raw.resolve("classes.log"));
    Transformer transformer = new Transformer(options, index, pack, log, messages);
    File sampleFile = options.cache.resolve("sample.class").toFile();
    try (InputStream sample = new FileInputStream(sampleFile)) {
      transformer.warmUp(sample.readAllBytes());
    }
    HeapModel heap = null;
    if (options.probes.hasObjectSizes()) {
      heap = ObjectMeasure.measure(instrumentation, CallingContext.runtimeArguments());
      describeObjects(heap);
    }
    Consumers consumers = null;
    if (options.consumer != null) {
      LivePlans plans = new LivePlans(index, options.probes);
      consumers = Consumers.of(options, plans, messages);
      transformer.tell(plans, consumers);
    }
    Snippets snippets = options.probes.snippets();
    SnippetKeyLog keys = null;
    if (snippets != null) {
      keys = new SnippetKeyLog(options.raw);
      snippets.guard(new LiveGuard(messages));
      CallingContext.readySnippets(snippets.counters(), snippets.kinds());
    }
    LoadedClasses loaded = new LoadedClasses(instrumentation, options.loaded);
    BareSizes sizes = new BareSizes(instrumentation, transformer, heap);
    CallingContext.register(new Ear(transformer, loaded, sizes, consumers, keys), instrumentation);
    instrumentation.addTransformer(transformer, true);
    instrumentation.setNativeMethodPrefix(transformer, NativeWrappers.PREFIX);
    logLoaded(loaded, instrumentation, transformer, index, messages);
    showCommand(options);
    writeProperties(options);
    if (options.foldsRecursion) {
      CallingContext.foldRecursion();
    }
    if (options.from != null) {
      CallingContext.postpone();
    }
    transformer.watchObjects(loaded);
    if (snippets != null) {
      CallingContext.runSnippets();
    }
    if (options.probes.hasLifetimes()) {
      openLifetimes(options, transformer, messages);
    }
    if (consumers != null) {
      CallingContext.tellEvery(options.consumerEvery);
    }
  }

  /** Passes on what comes from the patched java.base, past the VM's transformers. */
  private static final class Ear extends CallingContext.Listener {
    private final Transformer transformer;
    private final LoadedClasses loaded;
    private final BareSizes sizes;
    private final Consumers consumers; // null: none
    private final SnippetKeyLog keys; // likewise

    Ear(
        Transformer transformer,
        LoadedClasses loaded,
        BareSizes sizes,
        Consumers consumers,
        SnippetKeyLog keys) {
      this.keys = keys;
      this.transformer = transformer;
      this.loaded = loaded;
      this.sizes = sizes;
      this.consumers = consumers;
    }

    @Override
    public byte[] define(ClassLoader loader, Class<?> host, String name, byte[] bytes) {
      return transformer.transformHidden(loader, bytes);
    }

    @Override
    public byte[] original(String name, byte[] bytes) {
      return transformer.original(name, bytes);
    }

    @Override
    public byte[] changed(
        Module module,
        ClassLoader loader,
        String name,
        Class<?> redefined,
        byte[] shown,
        byte[] bytes) {
      return transformer.transformChanged(module, loader, name, redefined, shown, bytes);
    }

    @Override
    public void defined(Class<?> type, int number) {
      transformer.logHidden(type, number);
    }

    @Override
    public void receiver(Class<?> type, int number) {
      transformer.logReceiver(type, number);
    }

    @Override
    public void watch(Class<?> type) {
      transformer.watch(type);
    }

    @Override
    public long field(Class<?> type, int key) {
      return transformer.findField(type, key);
    }

    @Override
    public void offsets(Class<?> type) {
      transformer.findOffsets(type);
    }

    @Override
    public int offset(Class<?> type, int key) {
      return transformer.findOffset(type, key);
    }

    @Override
    public long size(Object object, long size) {
      return sizes.of(object, size);
    }

    @Override
    public void tree(long root) {
      consumers.accept(root);
    }

    @Override
    public boolean snippetKey(int key, int counter, Object[] values) {
      return keys.write(counter, values);
    }

    @Override
    public void ending() {
      if (consumers != null) {
        consumers.end();
      }
      transformer.logMissed(loaded);
    }
  }

  /** Asks the guards of snippets in java.base; one that fails wants its snippet nowhere. */
  private static final class LiveGuard implements Snippets.Guard {
    private final Messages messages;

    LiveGuard(Messages messages) {
      this.messages = messages;
    }

    @Override
    public boolean allows(
        Snippet snippet, String[] method, String target, String opcode, boolean isJdk) {
      try {
        return CallingContext.allowsSnippet(
            snippet.number(), method[0], method[1], method[2], target, opcode, isJdk);
      } catch (RuntimeException | Error e) {
        String guard = snippet.owner() + "." + snippet.guard();
        messages.println("guard " + guard + " failed: " + method[0] + "." + method[1] + ": " + e);
        return false;
      }
    }
  }

  private static void openLifetimes(
      AgentOptions options, Transformer transformer, Messages messages) throws IOException {
    Path path = options.raw.resolve(LIFETIMES);
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    Beginning.lengthen(file, path, LifetimeLayout.MAPPED_BYTES, "");
    if (!CallingContext.followReferences(
        file.getChannel(), file.getFD(), transformer.fieldKeys())) {
      String reason =
          "lifetimes cannot be recorded: numbers do not fit into the headers of objects, as with"
              + " -XX:+UseCompactObjectHeaders, or there is not enough space for "
              + path;
      messages.println(reason);
      throw new IOException(reason);
    }
  }

  private static void describeObjects(HeapModel heap) {
    CallingContext.describeObjects(
        heap.alignment(),
        heap.arrayBase(),
        heap.referenceBytes(),
        heap.contendedPadding(),
        heap.flags());
  }

  /** Classes that came before the transformer: the JDK's are prepared, the others catch up now. */
  private static void logLoaded(
      LoadedClasses loaded,
      Instrumentation instrumentation,
      Transformer transformer,
      JdkIndex index,
      Messages messages)
      throws IOException {
    List<Class<?>> late = new ArrayList<>();
    for (Class<?> type : loaded.all()) {
      int number = CallingContext.receiverNumber(type);
      if (number != 0) {
        transformer.logReceiver(type, number);
      }
      String name = CallingContext.nameOf(type).replace('.', '/');
      if (type.isArray() || type.isHidden() || Transformer.isOwn(name)) {
        continue;
      }
      int row = type.getClassLoader() == null ? index.row(name) : -1;
      if (index.isPatched(row)) {
        transformer.logLoaded(type);
        if (type == Thread.class && CallingContext.isThreadChanged()) {
          late.add(type);
        }
      } else if (instrumentation.isModifiableClass(type)) {
        late.add(type);
      }
    }
    try {
      instrumentation.retransformClasses(late.toArray(new Class<?>[0]));
    } catch (UnmodifiableClassException | UnsupportedOperationException | LinkageError e) {
      retransformEach(late, instrumentation, messages); // one that the VM refuses stops all
    }
  }

  private static void retransformEach(
      List<Class<?>> late, Instrumentation instrumentation, Messages messages) {
    for (Class<?> type : late) {
      try {
        instrumentation.retransformClasses(type);
      } catch (UnmodifiableClassException | UnsupportedOperationException | LinkageError e) {
        messages.println("loaded before the agent, not instrumented: " + type + ": " + e);
      }
    }
  }

  private static void showCommand(AgentOptions options) throws IOException {
    String[] none = {};
    String[] words = options.written.isEmpty() ? null : options.written.toArray(none);
    CallingContext.showCommand(pid(), words, options.added.toArray(none));
    CallingContext.setDefaultStack(options.defaultStack);
  }

  /** This process; ProcessHandle would start threads and link lambdas before the program does. */
  static long pid() throws IOException {
    return Long.parseLong(new File("/proc/self").getCanonicalFile().getName());
  }

  private static void writeProperties(AgentOptions options) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String name :
        List.of(
            "java.version",
            "java.home",
            "java.vendor",
            "java.vm.name",
            "java.vm.version",
            "java.vm.vendor",
            "java.runtime.version",
            "sun.java.command",
            "sun.java.launcher",
            "java.class.path",
            "os.arch",
            "os.name",
            "user.dir")) {
      text.append(name).append('=');
      escape(System.getProperty(name, ""), text);
      text.append('\n');
    }
    try (FileOutputStream out =
        new FileOutputStream(options.raw.resolve("vm.properties").toFile())) {
      out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  /** As java.util.Properties reads it; its own writer loads 300 classes to print the date. */
  private static void escape(String value, StringBuilder text) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c > ' ' && c < 127 && c != '\\') {
        text.append(c);
      } else {
        text.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          text.append(Character.forDigit(c >> shift & 15, 16));
        }
      }
    }
  }
}
