package io.jvmscope.watch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Probes of one watcher: puts them in and takes them out as it asks, and tells what they count. */
final class Session {
  private static final long LEASE_NS = 8_000_000_000L;
  private static final long FLUSH_NS = 1_000_000_000L;
  private static final long POLL_MS = 50;
  private static final long IDLE_MS = 150;
  private static final long ASKED_NS = 500_000_000L;

  /** The message that asks for nothing. */
  private static final String ALIVE = "alive";

  /** A machine with more to do than it can may not run our thread for seconds. */
  private static final long EXIT_S = 10;

  /**
   * Whether the VM transforms the file that a class had when it was transformed first, also if it
   * was redefined since. Java 17 does so, and 25 does not; of the versions between, none was tried,
   * and restoring what was redefined is right for either.
   */
  private static final boolean KEEPS_FIRST_FILE = Runtime.version().feature() < 25;

  private static final int MOST_FLUSHES = 40;

  /** So often a class that is being loaded is looked for, until it is taken for one that failed. */
  private static final int MOST_LOOKS = 10;

  /** For so many seconds classes are looked for that were being loaded when probes were put in. */
  private static final int LOOKS_BEHIND = 10;

  private static final int MOST_ROUNDS = 1_000;
  private static final int FEW_ROUNDS = 5;
  private static final int RESERVED = 1 << 18;

  /** Room that the VM needs to change a class, without which it complains to the program. */
  private static final int ROOM = 1 << 16;

  private final Instrumentation instrumentation;
  private final Link link;
  private final List<Probe> probes = new ArrayList<>();
  private final Ledger ledger;
  private ProbeTransformer transformer; // null: no probe is in the VM
  private Redefinitions redefinitions;

  /** Classes whose probes the VM could not take out so far, and why. */
  private Map<Class<?>, String> stillProbed = Map.of();

  private long nextFlush;

  /** When the watcher was heard last, when it asked for something, and when all went well. */
  private long heard;

  private long asked;
  private long served;
  private boolean isAnswering;
  private int nLooksBehind;
  private volatile boolean isExiting;

  /** Is given back where the heap is full, so that there is room to take the probes out. */
  private byte[] reserve = new byte[RESERVED];

  private Throwable failure;
  private byte[] room;
  private final CountDownLatch hasToldAll = new CountDownLatch(1);

  Session(Instrumentation instrumentation, Link link) {
    this.instrumentation = instrumentation;
    this.link = link;
    ledger = new Ledger(link::send);
  }

  /** Serves the watcher until it is gone, or has not been heard for a while. */
  void run() throws InterruptedException {
    Thread atExit = new Thread(this::exit, "jvmscope-exit");
    boolean hasHook = addHook(atExit);
    try {
      heard = System.nanoTime();
      asked = heard;
      served = heard;
      boolean isOver = false;
      while (!isOver) {
        isOver = !serveOrRest();
      }
    } catch (RuntimeException | Error e) { // first: there may be no room for the others' classes
      failure = e;
    } catch (IOException e) { // the watcher is gone
      return;
    } finally {
      try {
        end();
      } finally { // the VM's end waits for it
        hasToldAll.countDown();
      }
      if (hasHook && !isExiting) {
        removeHook(atExit);
      }
    }
  }

  /**
   * Serves the watcher once. Where the heap is full, whatever is read or told is read or told the
   * next time, so it rests; unless the heap is full for long, or something was asked that would not
   * be done.
   *
   * @return false if it has not been heard for a while
   */
  private boolean serveOrRest() throws IOException, InterruptedException {
    try {
      boolean goesOn = serve();
      served = System.nanoTime();
      return goesOn;
    } catch (OutOfMemoryError e) {
      if (isAnswering || System.nanoTime() - served >= LEASE_NS) {
        throw e;
      }
      rest();
      return true;
    }
  }

  private boolean serve() throws IOException, InterruptedException {
    List<List<String>> messages = link.read();
    for (int k = 0; k < messages.size(); k++) { // needs no room: they do not come again
      heard = System.nanoTime();
      if (!messages.get(k).get(0).equals(ALIVE)) {
        isAnswering = true;
        answer(messages.get(k));
        isAnswering = false;
        heard = System.nanoTime();
        asked = heard;
      }
    }
    if (System.nanoTime() - heard >= LEASE_NS) { // after reading: we may have been slow
      link.send("failed", "it heard nothing of the watcher for 8 s, and took its probes out");
      return false;
    }
    boolean isLast = isExiting; // before we look at what has been counted
    boolean isAll = link.isDrained() && tell();
    link.write();
    if (isLast && isAll && link.isDrained()) {
      sayAllIsTold();
    }
    Thread.sleep(isLast && !isAll ? 1 : pauseMs());
    return true;
  }

  /**
   * How long to sleep: a thread that wakes costs the program. One that waits for what comes would
   * cost more, as the VM samples threads in native code, and notes waits for objects.
   */
  private long pauseMs() {
    boolean isAsked = System.nanoTime() - asked < ASKED_NS; // more may follow
    boolean isBusy = isAsked || isExiting || ledger.hasSamples() || !link.isDrained();
    return isBusy ? POLL_MS : IDLE_MS;
  }

  /**
   * Takes the probes out, and tells what has not been told. Where the heap is full, it begins again
   * after a while: the program may have given back some of it, or ends.
   */
  private void end() {
    for (int k = 0; k < MOST_ROUNDS; k++) {
      reserve = null;
      try {
        if (failure != null) {
          link.send("failed", failure.toString());
          failure = null;
        }
        remove();
        drain();
        return;
      } catch (VirtualMachineError e) { // no room, also as an InternalError of the JDK's
        failure = e;
        rest();
      } catch (RuntimeException | Error e) { // of another kind, or what comes of that one
        failure = e;
        k += MOST_ROUNDS / FEW_ROUNDS;
        rest();
      }
    }
  }

  /** Has the watcher know that nothing is missing, and the VM end. */
  private void sayAllIsTold() throws IOException {
    if (hasToldAll.getCount() > 0) {
      link.send("all");
      link.write();
    }
    if (link.isDrained()) {
      hasToldAll.countDown();
    }
  }

  private static boolean addHook(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      return true;
    } catch (IllegalStateException e) { // the VM ends
      return false;
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) { // the VM ends
      return;
    }
  }

  /** Where the VM ends, waits until all that was counted has left, or the watcher is gone. */
  void exit() {
    ThreadState.leaveOut();
    isExiting = true;
    try {
      hasToldAll.await(EXIT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return;
    }
  }

  /**
   * Tells what has been counted, if it is time, and single invocations.
   *
   * @return false if there is more, which has to be told soon
   */
  private boolean tell() {
    if (transformer != null) {
      ledger.tellMessages(); // of classes that were loaded since, whose events may be read soon
    }
    boolean isAll = transformer == null || !isTime() || flush();
    return !ledger.tellSamples() && isAll;
  }

  private boolean isTime() {
    return isExiting || System.nanoTime() - nextFlush >= 0;
  }

  private void answer(List<String> message) {
    switch (message.get(0)) {
      case "probe" -> probes.add(ProbeReader.read(message));
      case "check" -> check();
      case "insert" -> insert();
      case "remove" -> {
        remove();
        link.send("removed");
      }
      default -> {
        return; // it only lives
      }
    }
  }

  /** Tells whether the conditions fit the classes that are there, before any is changed. */
  private void check() {
    ProbeTransformer checking = new ProbeTransformer(List.copyOf(probes));
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      String name = type.getName().replace('.', '/');
      if (type.isArray() || type.isHidden() || !checking.wants(name)) {
        continue;
      }
      try {
        if (Refusals.of(type.getClassLoader(), name) == null) {
          checking.check(type.getClassLoader(), classFile(type));
        }
      } catch (ConditionException e) {
        Expression place = e.place;
        link.send(
            "wrong",
            Integer.toString(e.probe),
            Integer.toString(place.column()),
            Integer.toString(place.length()),
            e.getMessage());
        probes.clear();
        return;
      } catch (IOException | RuntimeException | LinkageError e) {
        continue; // it is told where the probe is put in
      }
    }
    link.send("checked");
  }

  private static byte[] classFile(Class<?> type) throws IOException {
    String name = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name);
      }
      return in.readAllBytes();
    }
  }

  private void insert() {
    List<Probe> asked = List.copyOf(probes);
    transformer = new ProbeTransformer(asked);
    transformer.warmUp();
    Ledger.warmUp();
    Samples.begin();
    Room.forget();
    ledger.begin(asked, transformer.messages);
    nextFlush = System.nanoTime() + FLUSH_NS;
    nLooksBehind = 0;
    instrumentation.addTransformer(transformer, true);
    redefinitions = new Redefinitions(transformer.classes);
    instrumentation.addTransformer(redefinitions, false);
    insertIntoLoaded();
    String now = Long.toString(Clocks.now());
    ledger.tellMessages();
    link.send("inserted", Integer.toString(transformer.classes.nProbed()), now);
  }

  /** Puts probes into the classes that are loaded and did not come by the transformer. */
  private void insertIntoLoaded() {
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      boolean isWanted = !type.isArray() && transformer.wants(type.getName().replace('.', '/'));
      if (isWanted && !transformer.hasSeen(type)) {
        if (instrumentation.isModifiableClass(type)) {
          classes.add(type);
        } else {
          String kind = type.isHidden() ? "a hidden class" : "a class";
          transformer.leaveOut(type, "it is " + kind + " that the VM does not change");
        }
      }
    }
    retransform(classes).forEach(transformer::leaveOut);
  }

  /** Takes all probes out, and tells what they have counted. */
  private void remove() throws IllegalStateException {
    if (transformer == null) {
      return;
    }
    transformer.close();
    instrumentation.removeTransformer(transformer);
    instrumentation.removeTransformer(redefinitions);
    boolean isSure = removeOnce();
    for (int k = 0; k < (transformer.isRunning() ? MOST_FLUSHES : MOST_LOOKS) && !isSure; k++) {
      rest();
      isSure = removeOnce();
    }
    stillProbed.forEach((type, reason) -> transformer.fail(type.getName(), reason));
    stillProbed = Map.of();
    boolean isAll = flush();
    for (int k = 0; k < MOST_FLUSHES && !isAll; k++) {
      rest();
      isAll = flush();
    }
    if (!isAll) {
      transformer.fail("some method", "a thread stood still while it counted its last invocations");
      ledger.tellMessages();
    }
    ledger.end();
    transformer.classes.forgetAll();
    ThreadState.forgetMethods();
    probes.clear();
    transformer = null;
  }

  /**
   * Has the VM transform all classes again that still have probes.
   *
   * @return false if some were being loaded, which have to be found later, or cannot be changed now
   */
  private boolean removeOnce() {
    boolean wasRunning = transformer.isRunning();
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (!type.isArray() && !type.isHidden() && transformer.classes.isProbed(type)) {
        classes.add(type);
      }
    }
    if (KEEPS_FIRST_FILE) {
      classes.removeIf(this::isRestored);
    }
    stillProbed = retransform(classes);
    classes.removeAll(stillProbed.keySet());
    classes.forEach(transformer.classes::noteRestored);
    return !wasRunning && transformer.classes.nProbed() == 0;
  }

  /**
   * Gives a class back what another agent has made of it meanwhile; false: none has. A VM that is
   * asked to transform the class again would give it the file of before.
   */
  private boolean isRestored(Class<?> type) {
    byte[] file = transformer.classes.replaced(type);
    if (file == null) {
      return false;
    }
    try {
      instrumentation.redefineClasses(new ClassDefinition(type, file));
      transformer.classes.noteRestored(type);
      return true;
    } catch (Exception | LinkageError | InternalError e) {
      transformer.fail(type.getName(), "what another agent made of it cannot be restored: " + e);
      return false;
    }
  }

  /** Has the VM transform classes again; returns those of which it could not, and why. */
  private Map<Class<?>, String> retransform(List<Class<?>> classes) {
    Map<Class<?>, String> failed = new LinkedHashMap<>();
    if (classes.isEmpty()) {
      return failed;
    }
    room = new byte[ROOM];
    room = null;
    try {
      instrumentation.retransformClasses(classes.toArray(new Class<?>[0]));
    } catch (Exception | LinkageError | InternalError | OutOfMemoryError e) {
      // one of them is wrong, or the VM has no room for the code of all: which?
      for (Class<?> type : classes) {
        if (classes.size() > 1) {
          failed.putAll(retransform(List.of(type)));
        } else {
          failed.put(type, "it cannot be changed: " + e);
        }
      }
    }
    return failed;
  }

  /** Writes what has not left, while the watcher takes it. */
  private void drain() {
    try {
      link.write();
      for (int k = 0; k < MOST_FLUSHES && !link.isDrained(); k++) {
        rest();
        link.write();
      }
    } catch (IOException e) { // it is gone
      return;
    }
  }

  private static void rest() {
    try {
      Thread.sleep(POLL_MS);
    } catch (VirtualMachineError e) { // no room for what the VM notes about it
      Thread.yield();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Tells what has been counted since the last time.
   *
   * @return false if something kept changing, and has not been told
   */
  private boolean flush() {
    transformer.tellUnsaid();
    transformer.classes.forgetGone(); // before telling, which then has all of them
    boolean isAll = ledger.tell();
    if (nLooksBehind++ < LOOKS_BEHIND && !transformer.isClosed()) {
      insertIntoLoaded();
    }
    ThreadState.forgetEnded();
    if (isAll) {
      ledger.forget(transformer.classes.gone);
    }
    nextFlush = System.nanoTime() + FLUSH_NS;
    return isAll;
  }
}
