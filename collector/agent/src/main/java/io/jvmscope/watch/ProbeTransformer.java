package io.jvmscope.watch;

import io.jvmscope.classfile.ClassFile;
import java.lang.instrument.ClassFileTransformer;
import java.lang.ref.WeakReference;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Puts probes into the classes that the VM loads, or is asked to transform again. */
final class ProbeTransformer implements ClassFileTransformer {
  private static final Numbers NUMBERS = new Numbers();
  private static final AtomicInteger NEXT_ID = new AtomicInteger();
  private static final long MOST_BYTES = 8 << 20;
  private static final int LEAST_PART = 64;

  /** Messages for the watcher, in their order. */
  final Queue<List<String>> messages = new ConcurrentLinkedQueue<>();

  private final List<Probe> probes;
  private final List<ChangedClass> changed = new ArrayList<>();
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean hasUnsaid;

  /** For how many bytes of class files there is room. */
  private final AtomicLong room =
      new AtomicLong(Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / LEAST_PART));

  ProbeTransformer(List<Probe> probes) {
    this.probes = probes;
  }

  /** A class of a loader with the methods of it that have probes, by name and descriptor. */
  private static final class ChangedClass {
    final WeakReference<ClassLoader> loader; // null: the boot loader
    final String name;
    final Map<String, ProbedMethod> methods = new HashMap<>();
    boolean isTold;

    /** The class file that another agent has redefined it to; null: none has. */
    byte[] replaced;

    ChangedClass(ClassLoader loader, String name) {
      this.loader = loader == null ? null : new WeakReference<>(loader);
      this.name = name;
    }

    boolean is(ClassLoader otherLoader, String otherName) {
      return name.equals(otherName)
          && (loader == null ? null : loader.get()) == otherLoader
          && isThere();
    }

    boolean isThere() {
      return loader == null || loader.get() != null;
    }
  }

  /** Whether a probe is for methods of a class. */
  boolean wants(String internalName) {
    for (Probe probe : probes) {
      if (probe.pattern().hasClass(internalName)) {
        return true;
      }
    }
    return false;
  }

  /** Has the VM load what {@link #transform} needs, which cannot be loaded by way of itself. */
  void warmUp() {
    String nowhere = "-";
    text(new byte[1]);
    transform(null, null, nowhere, null, null, new byte[0]);
    messages.clear(); // a pattern may have that name, too
  }

  /** Whether a class was changed here. */
  synchronized boolean hasChanged(Class<?> type) {
    String name = type.getName().replace('.', '/');
    return changed.stream().anyMatch(each -> each.is(type.getClassLoader(), name));
  }

  /** The class file that another agent has redefined a class to meanwhile; null: none has. */
  synchronized byte[] replaced(Class<?> type) {
    String name = type.getName().replace('.', '/');
    for (ChangedClass each : changed) {
      if (each.is(type.getClassLoader(), name)) {
        return each.replaced;
      }
    }
    return null;
  }

  /** Notes that another agent redefines a class. */
  synchronized void noteReplaced(ClassLoader loader, String name, byte[] classFile) {
    for (ChangedClass each : changed) {
      if (each.is(loader, name)) {
        each.replaced = classFile;
      }
    }
  }

  /** How many classes were changed, and are there still. */
  synchronized int nChanged() {
    return (int) changed.stream().filter(ChangedClass::isThere).count();
  }

  /** Whether a thread is in here. */
  boolean isRunning() {
    return running.get() > 0;
  }

  /** Gives back the numbers of classes that are gone, or of all. */
  synchronized void giveBack(boolean isAll) {
    for (Iterator<ChangedClass> each = changed.iterator(); each.hasNext(); ) {
      ChangedClass type = each.next();
      if (isAll || !type.isThere()) {
        type.methods.values().forEach(method -> NUMBERS.giveBack(method.number));
        each.remove();
      }
    }
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    ThreadState state = ThreadState.current();
    boolean wasBusy = state.isBusySince();
    running.incrementAndGet();
    try {
      String found = name != null ? name : new ClassReader(classFile).getClassName();
      return wants(found) ? transform(loader, found, classFile) : null;
    } catch (Throwable e) { // the class stays as it is
      fail(name, e);
      return null;
    } finally {
      running.decrementAndGet();
      state.isBusy = wasBusy;
    }
  }

  private byte[] transform(ClassLoader loader, String name, byte[] classFile) {
    String refusal = Refusals.of(loader, name);
    if (refusal != null) {
      fail(name.replace('/', '.'), refusal);
      return null;
    }
    ClassReader reader = new ClassReader(classFile);
    ClassNode node = new ClassNode();
    reader.accept(node, ClassReader.EXPAND_FRAMES);
    Map<String, ClassFile.Code> codes = codes(classFile);
    boolean isChanged = false;
    for (MethodNode method : node.methods) {
      for (Probe probe : probes) {
        if (isFor(probe, node, method)) {
          ClassFile.Code code = codes.get(method.name + method.desc);
          isChanged |= insert(probe, loader, node, method, code);
        }
      }
    }
    if (!isChanged) {
      return null;
    }
    tellClass(loader, name, classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    node.accept(writer);
    return writer.toByteArray();
  }

  /** Bridges only call the method that they stand for. */
  private static boolean isFor(Probe probe, ClassNode node, MethodNode method) {
    return probe.pattern().hasClass(node.name)
        && probe.pattern().hasMethod(method.name, method.desc)
        && (method.access & Opcodes.ACC_BRIDGE) == 0;
  }

  /** The code of methods as it is in the class file, by name and descriptor. */
  private static Map<String, ClassFile.Code> codes(byte[] classFile) {
    Map<String, ClassFile.Code> codes = new HashMap<>();
    for (ClassFile.Method method : new ClassFile(classFile).methods()) {
      codes.put(method.name() + method.descriptor(), method.code());
    }
    return codes;
  }

  private boolean insert(
      Probe probe, ClassLoader loader, ClassNode node, MethodNode method, ClassFile.Code code) {
    String subject = node.name.replace('/', '.') + "." + method.name + method.desc;
    if (method.instructions.size() == 0) {
      boolean isNative = (method.access & Opcodes.ACC_NATIVE) != 0;
      fail(subject, "it is " + (isNative ? "native" : "abstract") + ", so there is no code");
      return false;
    }
    ProbedMethod probed = probed(probe, loader, node.name, method);
    if (probed == null) {
      fail(subject, Probes.MOST + " methods have probes already");
      return false;
    }
    try {
      if (ProbeCode.insert(node, loader, method, probed)) {
        tellOnce(probed, loader, node, method, code);
        return true;
      }
      fail(subject, "no single call of another constructor was found in it");
    } catch (ConditionException e) {
      fail(subject, "the condition does not fit: " + e.getMessage());
    }
    return false;
  }

  /** The method's entry in the table of methods, which stays when a class is transformed again. */
  private synchronized ProbedMethod probed(
      Probe probe, ClassLoader loader, String name, MethodNode method) {
    ChangedClass type = null;
    for (ChangedClass each : changed) {
      if (each.is(loader, name)) {
        type = each;
      }
    }
    if (type == null) {
      type = new ChangedClass(loader, name);
      changed.add(type);
    }
    String key = probe.id() + " " + method.name + method.desc;
    ProbedMethod known = type.methods.get(key);
    if (known != null) {
      return known;
    }
    int number = NUMBERS.take();
    if (number < 0) {
      return null;
    }
    ProbedMethod made = new ProbedMethod(number, NEXT_ID.getAndIncrement(), probe);
    Probes.set(number, made);
    type.methods.put(key, made);
    return made;
  }

  /**
   * Tells the class file that a class had before it was changed, if there is room for it. It comes
   * behind the methods of the class.
   */
  private synchronized void tellClass(ClassLoader loader, String name, byte[] classFile) {
    for (ChangedClass each : changed) {
      if (each.is(loader, name) && !each.isTold) {
        boolean hasRoom = room.addAndGet(-classFile.length) >= 0;
        tell("class", name, loaderName(loader), hasRoom ? text(classFile) : "");
        each.isTold = true;
      }
    }
  }

  private static String text(byte[] classFile) {
    return Base64.getEncoder().encodeToString(classFile);
  }

  private static String loaderName(ClassLoader loader) {
    return loader == null ? "" : loader.getClass().getName().replace('.', '/');
  }

  private synchronized void tellOnce(
      ProbedMethod probed,
      ClassLoader loader,
      ClassNode node,
      MethodNode method,
      ClassFile.Code code) {
    if (!probed.isTold) {
      tell(
          "method",
          Integer.toString(probed.id),
          Integer.toString(probed.probe.id()),
          node.name,
          method.name,
          method.desc,
          loaderName(loader),
          Long.toString(Clocks.now()),
          Integer.toString(code.length()),
          Integer.toString(line(code, true)),
          Integer.toString(line(code, false)));
      probed.isTold = true;
    }
  }

  /** The smallest or largest line of a method; -1: it has none. */
  private static int line(ClassFile.Code code, boolean isSmallest) {
    int found = -1;
    for (int k = 1; k < code.lines().length; k += 2) {
      int line = code.lines()[k];
      if (found < 0 || line < found == isSmallest) {
        found = line;
      }
    }
    return found;
  }

  void fail(String subject, String reason) {
    tell("failure", subject, reason);
  }

  private void fail(String name, Throwable error) {
    try {
      String subject = name != null ? name : "a class that was defined without a name";
      fail(subject.replace('/', '.'), "it cannot be changed: " + error);
    } catch (VirtualMachineError e) {
      hasUnsaid = true;
    }
  }

  /** Tells that a class could not be changed when there was no room to say which, if it is so. */
  void tellUnsaid() {
    if (hasUnsaid) {
      fail("some class", "there was no room to change it, or to say which it is");
      hasUnsaid = false;
    }
  }

  private void tell(String... fields) {
    messages.add(List.of(fields));
  }

  /** Compiles the conditions of probes for a class; throws what does not fit. */
  void check(ClassLoader loader, byte[] classFile) throws ConditionException {
    ClassNode node = new ClassNode();
    new ClassReader(classFile).accept(node, ClassReader.EXPAND_FRAMES);
    for (MethodNode method : node.methods) {
      for (Probe probe : probes) {
        if (isFor(probe, node, method) && method.instructions.size() > 0) {
          check(probe, loader, node, method);
        }
      }
    }
  }

  private static void check(Probe probe, ClassLoader loader, ClassNode node, MethodNode method)
      throws ConditionException {
    try {
      ProbeCode.insert(node, loader, method, new ProbedMethod(0, 0, probe));
    } catch (ConditionException e) {
      e.probe = probe.id();
      throw e;
    }
  }
}
