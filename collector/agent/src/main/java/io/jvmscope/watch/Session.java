package io.jvmscope.watch;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
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

  /** A machine with more to do than it can may not run our thread for seconds. */
  private static final long EXIT_S = 10;

  /**
   * Whether the VM transforms the file that a class had when it was transformed first, also if it
   * was redefined since. Java 17 does so, and 25 does not; of the versions between, none was tried,
   * and restoring what was redefined is right for either.
   */
  private static final boolean KEEPS_FIRST_FILE = Runtime.version().feature() < 25;

  private static final int MOST_FLUSHES = 40;
  private static final int MOST_ROUNDS = 1_000;
  private static final int FEW_ROUNDS = 5;
  private static final int RESERVED = 1 << 18;

  /** Room that the VM needs to change a class, without which it complains to the program. */
  private static final int ROOM = 1 << 16;

  private static final int MOST_MESSAGES = 64;

  private final Instrumentation instrumentation;
  private final Link link;
  private final List<Probe> probes = new ArrayList<>();
  private final Map<ProbedMethod, Map<Caller, Totals>> totals = new LinkedHashMap<>();
  private final Map<Caller, Integer> callers = new HashMap<>();
  private ProbeTransformer transformer; // null: no probe is in the VM
  private Redefinitions redefinitions;
  private String lastFlush = "";
  private long nextFlush;
  private volatile boolean isExiting;

  /** Is given back where the heap is full, so that there is room to take the probes out. */
  private byte[] reserve = new byte[RESERVED];

  private Throwable failure;
  private byte[] room;
  private final CountDownLatch hasToldAll = new CountDownLatch(1);

  Session(Instrumentation instrumentation, Link link) {
    this.instrumentation = instrumentation;
    this.link = link;
  }

  /** Serves the watcher until it is gone, or has not been heard for a while. */
  void run() throws InterruptedException {
    Thread atExit = new Thread(this::exit, "jvmscope-exit");
    boolean hasHook = addHook(atExit);
    try {
      long heard = System.nanoTime();
      while (true) {
        for (List<String> message : link.read()) {
          answer(message);
          heard = System.nanoTime();
        }
        if (System.nanoTime() - heard >= LEASE_NS) { // after reading: we may have been slow
          link.send("failed", "it heard nothing of the watcher for 8 s, and took its probes out");
          return;
        }
        boolean isLast = isExiting; // before we look at what has been counted
        boolean isAll = link.isDrained() && tell();
        link.write();
        if (isLast && isAll && link.isDrained()) {
          sayAllIsTold();
        }
        Thread.sleep(isLast && !isAll ? 1 : POLL_MS);
      }
    } catch (EOFException e) {
      return;
    } catch (IOException e) { // as if it were gone
      return;
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      failure = e;
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
      } catch (OutOfMemoryError e) {
        failure = e;
        rest();
      } catch (RuntimeException | LinkageError e) { // of another kind, or what comes of that one
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
    boolean isAll = transformer == null || !isTime() || flush();
    return !tellSamples() && isAll;
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
      if (Refusals.of(type.getClassLoader(), name) == null) {
        try {
          checking.check(type.getClassLoader(), classFile(type));
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
        } catch (IOException | RuntimeException e) { // it is told where the probe is put in
          continue;
        }
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
    transformer = new ProbeTransformer(List.copyOf(probes));
    lastFlush = Long.toString(Clocks.now());
    nextFlush = System.nanoTime() + FLUSH_NS;
    Samples.begin();
    transformer.warmUp();
    instrumentation.addTransformer(transformer, true);
    redefinitions = new Redefinitions(transformer);
    instrumentation.addTransformer(redefinitions, false);
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (!type.isArray() && transformer.wants(type.getName().replace('.', '/'))) {
        if (instrumentation.isModifiableClass(type)) {
          classes.add(type);
        } else {
          String kind = type.isHidden() ? "a hidden class" : "a class";
          transformer.fail(type.getName(), "it is " + kind + " that the VM does not change");
        }
      }
    }
    retransform(classes);
    sendMessages();
    link.send("inserted", Integer.toString(transformer.nChanged()));
  }

  /** Takes all probes out, and tells what they have counted. */
  private void remove() throws IllegalStateException {
    if (transformer == null) {
      return;
    }
    instrumentation.removeTransformer(transformer);
    instrumentation.removeTransformer(redefinitions);
    boolean isSure = removeOnce();
    for (int k = 0; k < MOST_FLUSHES && !isSure; k++) {
      rest();
      isSure = removeOnce();
    }
    for (int k = 0; k < MOST_FLUSHES && !flush(); k++) {
      rest();
    }
    totals.values().forEach(each -> each.values().forEach(of -> of.finish(link::send)));
    transformer.giveBack(true);
    ThreadState.forgetMethods();
    totals.clear();
    probes.clear();
    transformer = null;
  }

  /**
   * Has the VM transform all classes with probes again.
   *
   * @return false if some were being loaded, which have to be found later
   */
  private boolean removeOnce() {
    boolean wasRunning = transformer.isRunning();
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (!type.isArray() && !type.isHidden() && transformer.hasChanged(type)) {
        classes.add(type);
      }
    }
    int n = classes.size();
    if (KEEPS_FIRST_FILE) {
      classes.removeIf(this::isRestored);
    }
    retransform(classes);
    return !wasRunning && n >= transformer.nChanged();
  }

  /**
   * Gives a class back what another agent has made of it meanwhile; false: none has. A VM that is
   * asked to transform the class again would give it the file of before.
   */
  private boolean isRestored(Class<?> type) {
    byte[] file = transformer.replaced(type);
    if (file == null) {
      return false;
    }
    try {
      instrumentation.redefineClasses(new ClassDefinition(type, file));
      return true;
    } catch (Exception | LinkageError | InternalError e) {
      transformer.fail(type.getName(), "what another agent made of it cannot be restored: " + e);
      return false;
    }
  }

  private void retransform(List<Class<?>> classes) {
    if (classes.isEmpty()) {
      return;
    }
    room = new byte[ROOM];
    room = null;
    try {
      instrumentation.retransformClasses(classes.toArray(new Class<?>[0]));
    } catch (Exception | LinkageError | InternalError | OutOfMemoryError e) {
      // one of them is wrong, or the VM has no room for the code of all: which?
      for (Class<?> type : classes) {
        if (classes.size() == 1) {
          transformer.fail(type.getName(), "it cannot be changed: " + e);
        } else {
          retransform(List.of(type));
        }
      }
    }
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
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (OutOfMemoryError e) { // of what the VM notes about it
      Thread.yield();
    }
  }

  /**
   * Tells what has been counted since the last time.
   *
   * @return false if something kept changing, and has not been told
   */
  private boolean flush() {
    takeFresh();
    String now = Long.toString(Clocks.now());
    boolean isAll = true;
    for (Map<Caller, Totals> each : totals.values()) {
      for (Totals of : each.values()) {
        isAll &= of.tell(lastFlush, now, link::send);
      }
    }
    transformer.giveBack(false);
    ThreadState.forgetEnded();
    forget();
    lastFlush = now;
    nextFlush = System.nanoTime() + FLUSH_NS;
    return isAll;
  }

  private void takeFresh() {
    Stats next;
    for (Stats stats = ProbedMethod.takeFresh(); stats != null; stats = next) {
      next = stats.next;
      stats.next = null; // else a thread that holds this one holds all of them
      if (!isOurs(stats.method)) {
        if (stats.samples != null) {
          stats.samples.close();
        }
        continue;
      }
      int id = stats.method.id;
      totals
          .computeIfAbsent(stats.method, method -> new HashMap<>())
          .computeIfAbsent(stats.caller, caller -> new Totals(id, number(caller)))
          .add(stats);
    }
    sendMessages(); // what a method is called comes before its numbers
  }

  /**
   * Whether a method's probe is one of those that are in. A thread that stood still in a probe
   * while it was taken out makes its statistics much later, maybe when others are in.
   */
  private boolean isOurs(ProbedMethod method) {
    for (Probe probe : probes) {
      if (probe == method.probe) { // others may be equal
        return true;
      }
    }
    return false;
  }

  /**
   * Tells single invocations, so often that they do not wait long in threads' queues.
   *
   * @return whether there may be more, for which there was no room in what is sent at one time
   */
  private boolean tellSamples() {
    if (transformer == null || probes.stream().noneMatch(Probe::hasSamples)) {
      return false;
    }
    takeFresh();
    int left = MOST_MESSAGES;
    for (Map<Caller, Totals> each : totals.values()) {
      for (Totals of : each.values()) {
        left -= of.tellSamples(left, link::send);
      }
    }
    return left == 0;
  }

  /** Forgets the methods of classes that are gone. */
  private void forget() {
    Iterator<ProbedMethod> each = totals.keySet().iterator();
    while (each.hasNext()) {
      ProbedMethod method = each.next();
      if (Probes.method(method.number) != method) {
        totals.get(method).values().forEach(of -> of.finish(link::send));
        each.remove();
      }
    }
  }

  private String number(Caller caller) {
    if (caller.equals(Caller.NONE)) {
      return "-1";
    }
    Integer known = callers.get(caller);
    if (known == null) {
      known = callers.size();
      callers.put(caller, known);
      link.send("caller", Integer.toString(known), caller.className(), caller.name());
    }
    return Integer.toString(known);
  }

  private void sendMessages() {
    List<String> message;
    while ((message = transformer.messages.poll()) != null) {
      link.send(message);
    }
  }
}
