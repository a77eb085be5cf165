package io.jvmscope.agent;

import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.ClassFormatException;
import io.jvmscope.classfile.ClassLogLayout;
import io.jvmscope.classfile.JdkIndex;
import io.jvmscope.classfile.MethodPlan.Coverage;
import io.jvmscope.layout.FieldGroups;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.objectweb.asm.ClassReader;

/**
 * Gives the VM the counting form of each class that it loads, and logs the class. Those of the JDK
 * that have edits come from the pack, all others are instrumented here. One class at a time: the
 * lock is never held while code of the program runs.
 */
final class Transformer implements ClassFileTransformer {
  private static final Coverage[] ALL_FULL = {};

  private static final List<String> LOADED_AT_OVERFLOW =
      List.of(
          "java.lang.Shutdown",
          "java.lang.Shutdown$Lock",
          "java.util.concurrent.ConcurrentHashMap$ForwardingNode",
          "java.util.concurrent.ConcurrentHashMap$ReservationNode",
          "java.util.concurrent.ConcurrentHashMap$TreeBin",
          "java.util.concurrent.ConcurrentHashMap$TreeNode",
          "java.lang.BootstrapMethodError",
          "java.lang.ExceptionInInitializerError",
          "java.lang.NoClassDefFoundError",
          "java.lang.invoke.WrongMethodTypeException",
          "java.lang.reflect.InvocationTargetException",
          "java.lang.reflect.UndeclaredThrowableException");

  private static final String HASH_CODE = "-XX:hashCode=";

  /** Beside the flags of the log: a loaded class cannot get methods, so no native is wrapped. */
  private static final int CHANGES_BODIES_ONLY = 1 << 16;

  private final AgentOptions options;
  private final JdkIndex index;
  private final RandomAccessFile pack;
  private final ClassLog log;
  private final Loaders loaders;
  private final Instrumenter instrumenter;
  private final Messages messages;
  private final JdkFields jdkFields; // null: no probe needs them
  private final ProgramFields fields; // likewise
  private final Map<String, Known> known = new HashMap<>();

  /** The classes that were left out, but for hidden ones. */
  private final Set<String> leftOut = new HashSet<>();

  private final Map<String, String> modules = new HashMap<>(); // by loader and package
  private final Map<String, String> groups = new HashMap<>(); // by loader and class, of no JDK
  private final Map<Integer, String> hiddenGroups = new HashMap<>(); // by number of the class
  private final List<String> deferred = new ArrayList<>();
  private final List<Unlogged> unlogged = new ArrayList<>();
  private final List<Defining> defining = new ArrayList<>();
  private final Map<String, String> unread = new HashMap<>(); // why, by loader and class
  private final ShownClasses shown = new ShownClasses();
  private LivePlans plans; // null: nobody looks at live trees
  private Consumers consumers;
  private boolean[] told = new boolean[1024]; // numbers of classes that are in the log
  private boolean isBusy;
  private int nextId;

  /** A class that was seen before, and what its file was. */
  private record Known(int baseId, int count, int hash, boolean wraps, boolean isWatched) {}

  /** A hidden class that a thread is about to define. */
  private record Defining(Thread thread, int baseId, ClassFile file) {}

  /** A class that stays as it is, and that there was no room on the stack to log. */
  private record Unlogged(int loaderId, int baseId, int flags, ClassFile file) {}

  Transformer(
      AgentOptions options, JdkIndex index, RandomAccessFile pack, ClassLog log, Messages messages)
      throws IOException {
    this.options = options;
    this.index = index;
    this.pack = pack;
    this.log = log;
    this.messages = messages;
    this.loaders = new Loaders(log);
    this.instrumenter = new Instrumenter(index, options.probes);
    this.nextId = index.nextId();
    boolean needsFields = FieldKeys.areWanted(options.probes.chosen());
    this.jdkFields = needsFields ? JdkFields.read(options.cache) : null;
    this.fields = needsFields ? new ProgramFields(jdkFields, loaders) : null;
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] bytes) {
    if (name != null && isOwn(name) || consumers != null && consumers.owns(loader)) {
      return null;
    }
    int flags = redefined == null ? 0 : CHANGES_BODIES_ONLY;
    byte[] result = transform(module, loader, name, bytes, flags);
    if (redefined != null && fields != null) {
      renumber(redefined);
    }
    if (result != null) {
      shown.add(name, bytes, result);
    }
    return result;
  }

  /** What another agent is shown of a class file that this one may have transformed. */
  byte[] original(String name, byte[] bytes) {
    return shown.original(name, bytes);
  }

  /** The counting form of what another agent made of a class file; null: it left it as it was. */
  byte[] transformChanged(
      Module module,
      ClassLoader loader,
      String name,
      Class<?> redefined,
      byte[] original,
      byte[] bytes) {
    boolean isShown = shown.answered(original, bytes != null);
    if (bytes == null || !isShown && !isThread(loader, name)) { // not shown: it was asked before
      return bytes;
    }
    byte[] result = transform(module, loader, name, redefined, null, bytes);
    return result == null ? bytes : result;
  }

  /** Has plans know the classes of the program; those of a consumer stay as they are. */
  void tell(LivePlans known, Consumers looking) {
    plans = known;
    consumers = looking;
  }

  static boolean isOwn(String className) {
    return className.startsWith("io/jvmscope/") || RuntimeClasses.isOwn(className);
  }

  /** The counting form of a hidden class. */
  byte[] transformHidden(ClassLoader loader, byte[] bytes) {
    byte[] result = transform(null, loader, null, bytes, ClassLogLayout.HIDDEN);
    return result == null ? bytes : result;
  }

  private synchronized byte[] transform(
      Module module, ClassLoader loader, String name, byte[] bytes, int flags) {
    if (isBusy) { // transforming one class makes the VM load another: one of java.base
      deferred.add(name);
      return null;
    }
    isBusy = true;
    try {
      logDeferred();
      return transformOne(module, loader, name, bytes, flags);
    } catch (RuntimeException
        | Error e) { // also one of the VM's, which whoever calls us would drop
      if (loader == null && flags == 0 && isPatched(name)) { // it counts, and can be logged later
        deferred.add(name);
      } else {
        lost(name, e);
      }
      return null;
    } catch (IOException e) {
      failed(e);
      return null;
    } finally {
      isBusy = false;
    }
  }

  /** Does a class of the boot loader come in the patch of java.base? */
  private boolean isPatched(String name) {
    return name != null && index.isPatched(index.row(name));
  }

  /** The class runs as it is, and is not in the log. */
  private void lost(String name, Throwable e) {
    CallingContext.logFailed();
    try {
      messages.println("not instrumented: " + name + ": " + e);
    } catch (VirtualMachineError again) { // there is no room to say it
      return;
    }
  }

  private byte[] transformOne(
      Module module, ClassLoader loader, String name, byte[] bytes, int flags) throws IOException {
    int loaderId = loaders.id(loader);
    int row = name == null || loaderId > 2 ? -1 : index.row(name);
    if (loaderId == 0 && index.isPatched(row)) {
      logPrepared(loaderId, row, name, ALL_FULL);
      boolean isLoaded = (flags & CHANGES_BODIES_ONLY) != 0;
      boolean counts = Exclusions.reason(name) == null;
      ClassFile file = isLoaded && counts ? read(loaderId, bytes, flags) : null;
      if (file == null) {
        return null;
      }
      return comesFromPatch(file) ? changedCounting(file) : redefine(module, row, file);
    }
    boolean isOfJdk = row >= 0 && index.isOriginal(row, bytes);
    if (isOfJdk && hasPreparedMembers(Loaders.key(loaderId, name), flags)) {
      return ofJdk(loaderId, row, name, bytes);
    }
    ClassFile file = read(loaderId, bytes, flags);
    if (file == null) {
      return null;
    }
    if ((flags & CHANGES_BODIES_ONLY) == 0) { // a loader defines a name once: it was refused before
      unread.remove(Loaders.key(loaderId, file.name()));
    }
    if (name != null) { // no redefinition changes fields
      groups.putIfAbsent(Loaders.key(loaderId, name), FieldGroups.of(file).intern());
    }
    logModule(module, loaderId, file.name());
    boolean isJdk = isJdk(module, loaderId, file.name());
    if (!isJdk && !options.instruments(file.name())) {
      logLeftOut(loaderId, file, flags);
      List<ClassEdit> edits = new ArrayList<>(clockEdits(file, Calls.THROUGH_OBJECT));
      edits.addAll(OverrideEdits.of(file, index, Calls.THROUGH_OBJECT));
      return edited(file, edits);
    }
    int rowInJdk = isOfJdk ? row : -1;
    return instrument(loaderId, file, flags & ~CHANGES_BODIES_ONLY, flags == 0, rowInJdk, isJdk);
  }

  /**
   * Logs a class that is left out. When another agent has it transformed again, the VM may bring a
   * file of its own making that says the same; nothing of it is counted, so the first one is kept.
   */
  private void logLeftOut(int loaderId, ClassFile file, int flags) throws IOException {
    boolean isHidden = (flags & ClassLogLayout.HIDDEN) != 0;
    boolean isNew = isHidden || leftOut.add(Loaders.key(loaderId, file.name()));
    if (isNew || (flags & CHANGES_BODIES_ONLY) == 0) {
      int unseen = flags & ~CHANGES_BODIES_ONLY | ClassLogLayout.UNINSTRUMENTED;
      expectHidden(flags, nextId, file);
      log.write(loaderId, nextId, unseen, file.name(), ALL_FULL, file.bytes());
      nextId += file.methods().size();
    }
  }

  /** A class that is left out; null: it stays as it is. */
  private byte[] edited(ClassFile file, List<ClassEdit> edits) {
    boolean hasLifetimes = options.probes.hasLifetimes();
    List<MethodEdit> ofMethods = new ArrayList<>();
    if (hasLifetimes) { // first, since it looks for calls that the class itself makes
      ofMethods.addAll(BirthEdits.of(file, Calls.THROUGH_OBJECT));
    }
    ofMethods.addAll(CatchEdits.of(file, Calls.THROUGH_OBJECT, hasLifetimes));
    return ofMethods.isEmpty() && edits.isEmpty()
        ? null
        : instrumenter.edit(file, ofMethods, edits);
  }

  /**
   * Is a class that is not prepared one of the JDK, to users who choose classes of the program, to
   * snippets and to consumers? It may be a hidden one, or come from another agent. Those that
   * {@link Exclusions} names are counted here, where they came before this agent, and so are none.
   */
  private boolean isJdk(Module module, int loaderId, String className) {
    boolean isOnClassPath = module != null && !module.isNamed(); // hidden ones come without
    return loaderId <= 2
        && !isOnClassPath
        && Exclusions.reason(className) == null
        && index.isOfJdk(className);
  }

  /** A class file; null if it is none: the VM refuses it, too, or it is among the unread ones. */
  private ClassFile read(int loaderId, byte[] bytes, int flags) {
    try {
      return new ClassFile(bytes);
    } catch (ClassFormatException e) {
      if (e.isLazy() && (flags & ClassLogLayout.HIDDEN) != 0) { // of which nothing tells later
        lost("a hidden class", e);
      } else if (e.isLazy()) {
        unread.put(Loaders.key(loaderId, nameIn(bytes)), e.getMessage());
      }
      return null;
    }
  }

  /** The name in a class file; empty if it has none. */
  private static String nameIn(byte[] bytes) {
    try {
      return new ClassReader(bytes).getClassName();
    } catch (RuntimeException e) { // what ASM throws of a file that is none
      return "";
    }
  }

  /**
   * May a class of the JDK become the prepared one, which has more members? Not if it was loaded
   * before this agent: then it is instrumented as a class of the program would be, under the
   * numbers that it has in the prepared JDK, whose code counts native methods by them.
   */
  private boolean hasPreparedMembers(String key, int flags) {
    Known before = known.get(key);
    return before == null ? (flags & CHANGES_BODIES_ONLY) == 0 : before.isWatched;
  }

  private List<ClassEdit> clockEdits(ClassFile file, Calls calls) {
    return options.probes.hasSteps() ? ClockEdits.of(file, calls) : List.of();
  }

  /**
   * Do the bytes come from the patch, as they do unless another agent brings its own? Those of a
   * class without code are taken for the patch's, since there is nothing to count.
   */
  static boolean comesFromPatch(ClassFile file) {
    for (int k = 1; k < file.poolSize(); k++) {
      if (file.isUtf8(k)
          && (file.utf8(k).startsWith(Calls.PREFIX) || RuntimeClasses.isOwn(file.utf8(k)))) {
        return true;
      }
    }
    return !file.hasCode();
  }

  /**
   * What the VM gets of the counting form of a class of a patch as another agent has changed it;
   * null: that. An agent may have put calls in front of what was first in the constructors of
   * threads.
   */
  private byte[] changedCounting(ClassFile file) {
    return isThread(null, file.name())
        ? instrumenter.edit(file, List.of(), List.of(ThreadEdit::beginFirst))
        : null;
  }

  private static boolean isThread(ClassLoader loader, String name) {
    return loader == null && "java/lang/Thread".equals(name);
  }

  /** Another agent gives a class of a patch the body that it has in the image, or one like it. */
  private byte[] redefine(Module module, int row, ClassFile file) throws IOException {
    byte[] bytes = file.bytes();
    boolean isOriginal = index.isOriginal(row, bytes);
    int baseId = isOriginal ? index.baseId(row) : nextId;
    boolean isBase = module == Object.class.getModule(); // java.instrument has a patch, too
    Calls calls = isBase ? Calls.DIRECT : Calls.THROUGH_OBJECT;
    List<ClassEdit> edits = JdkEdits.of(file, calls, true, options.probes);
    FieldKeys keys = JdkFields.keysOf(jdkFields, file.name());
    Instrumenter.Result result = instrumenter.instrument(file, baseId, true, calls, keys, edits);
    if (!isOriginal) {
      nextId += file.methods().size();
      known.put(0 + file.name(), new Known(baseId, file.methods().size(), 0, false, true));
      log.write(0, baseId, ClassLogLayout.REDEFINED, file.name(), result.coverage(), bytes);
    }
    return result.bytes();
  }

  /** Logs the module of a class's package when the first class of the package comes. */
  private void logModule(Module module, int loaderId, String className) throws IOException {
    if (module == null || !module.isNamed()) { // hidden classes are in packages that came before
      return;
    }
    String packageName = className.substring(0, Math.max(0, className.lastIndexOf('/')));
    if (modules.put(Loaders.key(loaderId, packageName), module.getName()) == null) {
      log.module(loaderId, packageName, module.getName());
    }
  }

  private void logDeferred() throws IOException {
    for (int i = 0; i < unlogged.size(); i++) {
      Unlogged late = unlogged.get(i);
      ClassFile file = late.file;
      log.write(late.loaderId, late.baseId, late.flags, file.name(), ALL_FULL, file.bytes());
    }
    unlogged.clear();
    for (int i = 0; i < deferred.size(); i++) {
      String name = deferred.get(i);
      int row = name == null ? -1 : index.row(name);
      if (row >= 0) {
        logPrepared(0, row, name, ALL_FULL);
      }
    }
    deferred.clear();
  }

  /** Has the VM load now what transforming and logging need, while no transformer is there. */
  void warmUp(byte[] classFile) throws IOException {
    ClassFile file = new ClassFile(classFile);
    List<ClassEdit> edits = clockEdits(file, Calls.THROUGH_OBJECT);
    FieldKeys keys = keysOf(0, file, true, true);
    FieldGroups.of(file).intern();
    instrumenter.instrument(file, 0, false, Calls.THROUGH_OBJECT, keys, edits);
    if (pack.length() > 0) { // it is empty where the JDK lacks the modules whose classes have edits
      CallingContext.read(pack.getFD(), new byte[1], 0L);
    }
    log.rehearse(file.name(), classFile);
    known.put(file.name(), new Known(0, 0, 0, false, false));
    known.clear();
    loaders.id(null);
    messages.rehearse();
    shown.add(file.name(), classFile, classFile);
    shown.answered(shown.original(file.name(), classFile), true);
    isOwn(""); // has the other names loaded
    // One recording in ten has this class loaded and the others do not, for a reason that we have
    // not found; no method of it runs. Loaded here it is in all of them.
    BiFunction.class.getName();
    // Where the stack is full the VM cannot ask a transformer, and says so on the standard error of
    // the program: these are what it loads there.
    for (String name : LOADED_AT_OVERFLOW) {
      try {
        Class.forName(name, false, null);
      } catch (ClassNotFoundException e) {
        messages.println("this JDK lacks " + name);
      }
    }
  }

  /** Logs a class of the JDK when it comes for the first time; no coverage: the index has it. */
  private void logPrepared(int loaderId, int row, String name, Coverage[] coverage)
      throws IOException {
    String key = Loaders.key(loaderId, name);
    if (!known.containsKey(key)) {
      log.prepared(loaderId, index.baseId(row), name, coverage);
      known.put(key, new Known(index.baseId(row), index.methodCount(row), 0, false, true));
    }
  }

  /** The counting form of a class of the JDK that is in no patch. */
  private byte[] ofJdk(int loaderId, int row, String name, byte[] bytes) throws IOException {
    if ((index.flags(row) & JdkIndex.PACKED) != 0) {
      byte[] prepared = unpack(row);
      logPrepared(loaderId, row, name, ALL_FULL); // last: what is logged counts
      return prepared;
    }
    ClassFile file = new ClassFile(bytes);
    int baseId = index.baseId(row);
    List<ClassEdit> edits = clockEdits(file, Calls.THROUGH_OBJECT);
    FieldKeys keys = JdkFields.keysOf(jdkFields, name);
    Instrumenter.Result result =
        instrumenter.instrument(file, baseId, true, Calls.THROUGH_OBJECT, keys, edits);
    if (plans != null) {
      plans.add(baseId, file, result.coverage());
    }
    logPrepared(loaderId, row, name, result.coverage()); // last, too
    return result.bytes();
  }

  private byte[] unpack(int row) throws IOException {
    byte[] bytes = new byte[index.packLength(row)];
    CallingContext.read(pack.getFD(), bytes, index.packOffset(row));
    return bytes;
  }

  /** The number of a hidden class comes when the VM has defined it. */
  private void expectHidden(int flags, int baseId, ClassFile file) {
    if ((flags & ClassLogLayout.HIDDEN) != 0) {
      defining.add(0, new Defining(Thread.currentThread(), baseId, file));
    }
  }

  private byte[] instrument(
      int loaderId, ClassFile file, int flags, boolean mayWrap, int rowInJdk, boolean isJdk)
      throws IOException {
    boolean isHidden = (flags & ClassLogLayout.HIDDEN) != 0;
    int hash = Arrays.hashCode(file.bytes());
    Known before = isHidden ? null : known.get(Loaders.key(loaderId, file.name()));
    boolean isSame = before != null && before.hash == hash;
    int newId = rowInJdk >= 0 ? index.baseId(rowInJdk) : nextId;
    int baseId = isSame ? before.baseId : newId;
    boolean isWatched = before != null ? before.isWatched : mayWrap || isHidden;
    FieldKeys keys = keysOf(loaderId, file, isHidden, isWatched);
    boolean wraps = mayWrap ? hasNatives(file) : before != null && before.wraps;
    List<ClassEdit> edits = rowInJdk >= 0 ? jdkEdits(file) : editsOf(file, wraps);
    int uninstrumented = flags | ClassLogLayout.UNINSTRUMENTED;
    expectHidden(flags, baseId, file); // whether it can be instrumented or not
    try {
      Instrumenter.Result result =
          instrumenter.instrument(file, baseId, isJdk, Calls.THROUGH_OBJECT, keys, edits);
      if (plans != null) {
        plans.add(baseId, file, result.coverage());
      }
      if (!isSame) {
        int redefined = before != null ? ClassLogLayout.REDEFINED : 0;
        int early = isWatched ? 0 : ClassLogLayout.EARLY;
        log.write(
            loaderId,
            baseId,
            flags | redefined | early,
            file.name(),
            result.coverage(),
            file.bytes());
      }
      return result.bytes();
    } catch (RuntimeException | LinkageError e) {
      messages.println("not instrumented: " + file.name() + ": " + e);
      log.write(loaderId, baseId, uninstrumented, file.name(), ALL_FULL, file.bytes());
      return null;
    } catch (StackOverflowError e) { // the program is deep; the next class finds more room
      unlogged.add(new Unlogged(loaderId, baseId, uninstrumented, file));
      return null;
    } finally {
      if (!isSame) {
        nextId += rowInJdk >= 0 ? 0 : file.methods().size();
        if (!isHidden) {
          known.put(
              Loaders.key(loaderId, file.name()),
              new Known(baseId, file.methods().size(), hash, wraps, isWatched));
        }
      }
    }
  }

  private FieldKeys keysOf(int loaderId, ClassFile file, boolean isHidden, boolean isWatched) {
    return fields == null
        ? FieldKeys.none(isWatched, isHidden)
        : fields.of(loaderId, file, isHidden, isWatched);
  }

  private List<ClassEdit> editsOf(ClassFile file, boolean wraps) {
    List<ClassEdit> edits = new ArrayList<>(StartEdit.of(options.from, file));
    edits.addAll(clockEdits(file, Calls.THROUGH_OBJECT));
    if (wraps) {
      edits.add(new NativeWrappers(index, options.probes.hasLifetimes()));
      CallingContext.hidePrefixed();
    }
    return edits;
  }

  private List<ClassEdit> jdkEdits(ClassFile file) {
    return JdkEdits.of(file, Calls.THROUGH_OBJECT, options.deterministic, options.probes);
  }

  private static boolean hasNatives(ClassFile file) {
    for (ClassFile.Method method : file.methods()) {
      if (method.isNative()) {
        return true;
      }
    }
    return false;
  }

  /** Logs a class that the VM loaded before the agent. */
  synchronized void logLoaded(Class<?> type) throws IOException {
    String name = CallingContext.nameOf(type).replace('.', '/');
    int row = index.row(name);
    if (row >= 0) {
      logPrepared(loaders.id(type.getClassLoader()), row, name, ALL_FULL);
    }
  }

  /**
   * Logs the classes that instrumenting made the VM load: it asks no transformer about what a
   * transformer needs. They are of java.base, which comes instrumented, so the program counts in
   * them.
   *
   * <p>A class that is not initialised has run nothing: only the recording looked at it, and
   * whether it did depends on timing.
   */
  synchronized void logMissed(LoadedClasses loaded) {
    try {
      for (Class<?> type : loaded.all()) {
        int number = CallingContext.receiverNumber(type);
        // There was no room on the stack. A hidden class would seem to be from before the agent.
        if (number != 0 && !isTold(number) && !type.isHidden()) {
          logReceiver(type, number);
        }
        String why = unread.isEmpty() ? null : unread.get(key(type));
        if (why != null && CallingContext.isInitialized(type)) {
          CallingContext.logFailed();
          messages.println("not instrumented: " + type.getName() + ": " + why);
        }
        if (type.getClassLoader() == null
            && !type.isArray()
            && !type.isHidden()
            && CallingContext.isInitialized(type)) {
          logLoaded(type);
          for (Class<?> above : type.getInterfaces()) {
            logLoaded(above);
          }
        }
      }
    } catch (IOException e) {
      CallingContext.logFailed();
      messages.println("class log: " + e);
    }
  }

  /**
   * Logs the number of the hidden class that the current thread defined. What the VM refused to
   * define stays among those that are expected; the name tells it apart.
   */
  synchronized void logHidden(Class<?> type, int number) {
    String name = ProgramFields.fileName(type);
    for (int i = 0; i < defining.size(); i++) {
      Defining expected = defining.get(i);
      if (expected.thread == Thread.currentThread() && expected.file.name().equals(name)) {
        Defining defined = defining.remove(i);
        hiddenGroups.put(number, FieldGroups.of(defined.file).intern());
        if (fields != null) {
          fields.addHidden(number, defined.file);
        }
        try {
          log.hidden(number, defined.baseId);
          tellNumber(number);
        } catch (IOException e) {
          CallingContext.logFailed();
          messages.println("class log: " + e);
        }
        return;
      }
    }
  }

  /** Logs the number under which calls are counted that a class receives. */
  synchronized void logReceiver(Class<?> type, int number) {
    try {
      int loader = loaders.id(type.getClassLoader());
      log.receiver(number, loader, CallingContext.nameOf(type).replace('.', '/'));
      tellNumber(number);
    } catch (IOException e) {
      CallingContext.logFailed();
      messages.println("class log: " + e);
    }
  }

  private boolean isTold(int number) {
    return number < told.length && told[number];
  }

  private void tellNumber(int number) {
    if (number >= told.length) {
      told = Arrays.copyOf(told, 2 * number);
    }
    told[number] = true;
  }

  /** Begins to watch objects, if a probe follows them or their use. */
  void watchObjects(LoadedClasses loaded) throws IOException {
    if (UseCode.isWanted(options.probes.chosen())) {
      CallingContext.followUse(!options.probes.hasLifetimes() && numbersHashes());
    }
    if (fields != null && ObjectCode.isWanted(options.probes.chosen())) {
      CallingContext.watchObjects();
      if (options.from == null) {
        for (Class<?> type : loaded.all()) {
          CallingContext.noteEarly(type);
        }
      }
    }
  }

  /** Are identity hash codes a sequence of small numbers, as in deterministic mode? */
  private static boolean numbersHashes() {
    boolean isSequence = false;
    for (String option : CallingContext.runtimeArguments()) {
      isSequence = option.startsWith(HASH_CODE) ? option.equals(HASH_CODE + 3) : isSequence;
    }
    return isSequence;
  }

  /** An object of a class was made that is not watched yet. */
  synchronized void watch(Class<?> type) {
    try {
      Known seen = seen(type);
      boolean isFollowed =
          type.isHidden()
              ? hiddenGroups.containsKey(CallingContext.receiverNumber(type)) // not from before
              : seen.count > 0; // constructed by code that says when it ends
      fields.watch(type, seen.baseId, seen.baseId + seen.count, isFollowed);
    } catch (IOException | RuntimeException e) { // the program is in the constructor of its object
      failed(e);
    }
  }

  private synchronized void renumber(Class<?> type) {
    try {
      Known seen = seen(type);
      CallingContext.renumber(type, seen.baseId, seen.baseId + seen.count);
    } catch (IOException e) {
      failed(e);
    }
  }

  /** The numbers of a class's methods; none of a hidden one. */
  private Known seen(Class<?> type) throws IOException {
    String name = CallingContext.nameOf(type).replace('.', '/');
    int loaderId = loaders.id(type.getClassLoader());
    Known seen = type.isHidden() ? null : known.get(Loaders.key(loaderId, name));
    int row = seen == null && loaderId <= 2 ? index.row(name) : -1;
    if (row >= 0) { // loaded while another class was transformed, and not logged yet
      return new Known(index.baseId(row), index.methodCount(row), 0, false, true);
    }
    return seen == null ? new Known(0, 0, 0, false, false) : seen;
  }

  /** A key of a field is used for the first time, for an object of a class. */
  synchronized long findField(Class<?> type, int key) {
    try {
      return fields.find(type, key);
    } catch (IOException | RuntimeException e) {
      failed(e);
      return ProgramFields.NO_WORD;
    }
  }

  /** Where objects of a class have the field of a key; 0 if that is not found. */
  synchronized int findOffset(Class<?> type, int key) {
    try {
      return fields.offset(type, key);
    } catch (IOException | RuntimeException e) {
      failed(e);
      return 0;
    }
  }

  /** Keys that fields have so far. */
  int fieldKeys() {
    return fields.keyCount();
  }

  /** A field of a class is accessed by its offset for the first time. */
  synchronized void findOffsets(Class<?> type) {
    try {
      fields.findOffsets(type);
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  /** What tells a class from all others. */
  synchronized String key(Class<?> type) throws IOException {
    String name = CallingContext.nameOf(type).replace('.', '/');
    return Loaders.key(loaders.id(type.getClassLoader()), name);
  }

  /** Was a class defined by the boot or the platform loader? */
  synchronized boolean isOfJdk(Class<?> type) throws IOException {
    return loaders.id(type.getClassLoader()) < 2;
  }

  /** The fields that a class of the program declares, as {@link FieldGroups}; else null. */
  synchronized String fieldGroups(Class<?> type) throws IOException {
    return type.isHidden()
        ? hiddenGroups.get(CallingContext.receiverNumber(type))
        : groups.get(key(type));
  }

  /** The fields of the JDK's classes. */
  JdkFields jdkFields() throws IOException {
    return jdkFields == null ? JdkFields.read(options.cache) : jdkFields;
  }

  private void failed(Exception e) {
    CallingContext.logFailed();
    try {
      messages.println("class log: " + e);
    } catch (RuntimeException again) { // so do string builders; that the log failed is kept
      return;
    }
  }
}
