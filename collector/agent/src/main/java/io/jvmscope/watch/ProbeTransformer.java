package io.jvmscope.watch;

import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.ClassTree;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** Puts probes into the classes that the VM loads, or is asked to transform again. */
final class ProbeTransformer implements ClassFileTransformer {
  private static final long MOST_BYTES = 8 << 20;
  private static final int LEAST_PART = 64;

  /** Messages for the watcher, in their order. */
  final Queue<List<String>> messages = new ConcurrentLinkedQueue<>();

  /** The classes that were changed so far. */
  final ChangedClasses classes = new ChangedClasses();

  private final List<Probe> probes;
  private final AtomicInteger running = new AtomicInteger();

  /** The classes for which a probe is and that came by here, by their loaders. */
  private final Map<ClassLoader, Set<String>> seen = new WeakHashMap<>();

  private volatile boolean isClosed;
  private volatile boolean hasUnsaid;

  /** For how many bytes of class files there is room. */
  private final AtomicLong room =
      new AtomicLong(Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / LEAST_PART));

  ProbeTransformer(List<Probe> probes) {
    this.probes = probes;
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

  /**
   * Tells why a loaded class has no probe. If one came by here, the VM did not take the class, so
   * that its methods are not told as having one.
   */
  synchronized void leaveOut(Class<?> type, String reason) {
    String name = type.getName().replace('.', '/');
    see(type.getClassLoader(), name);
    for (ProbedMethod method : classes.methods(type)) {
      String id = Integer.toString(method.id);
      messages.removeIf(told -> told.get(0).equals("method") && told.get(1).equals(id));
    }
    messages.removeIf(told -> told.get(0).equals("moved") && told.get(1).equals(name));
    fail(type.getName(), reason);
  }

  /** Whether a class came by here, with or without a probe. */
  synchronized boolean hasSeen(Class<?> type) {
    Set<String> names = seen.get(type.getClassLoader());
    return names != null && names.contains(type.getName().replace('.', '/'));
  }

  private synchronized void see(ClassLoader loader, String name) {
    seen.computeIfAbsent(loader, any -> new HashSet<>()).add(name);
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Says that no class is changed from now on; one that is being changed is {@link #isRunning}. */
  void close() {
    isClosed = true;
  }

  /** Whether a thread is in here. */
  boolean isRunning() {
    return running.get() > 0;
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    running.incrementAndGet(); // before the look whether we are closed
    try {
      return isClosed ? null : transformed(loader, name, classFile);
    } finally {
      running.decrementAndGet();
    }
  }

  /** A class with its probes, while nothing counts that this thread does; null: it has none. */
  private byte[] transformed(ClassLoader loader, String name, byte[] classFile) {
    ThreadState state = ThreadState.current();
    boolean wasBusy = state.isBusySince();
    try {
      String found = name != null ? name : new ClassReader(classFile).getClassName();
      if (!wants(found)) {
        return null;
      }
      see(loader, found);
      return transform(loader, found, classFile);
    } catch (Throwable e) { // the class stays as it is
      fail(name, e);
      return null;
    } finally {
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
    Set<String> tooLong = new HashSet<>();
    while (true) {
      Insertion insertion = new Insertion(loader, reader, tooLong);
      try {
        byte[] made = insertion.classFile();
        insertion.tell(new ClassFile(classFile));
        if (made != null) {
          tellClass(loader, name, classFile);
        }
        return made;
      } catch (MethodTooLargeException e) { // once more without it
        if (!tooLong.add(e.getMethodName() + e.getDescriptor())) {
          throw e; // it is so without a probe
        }
      }
    }
  }

  /** Probes in one class, of which nothing is told before the class can be written. */
  private final class Insertion {
    private final ClassLoader loader;
    private final ClassReader reader;
    private final Set<String> tooLong;
    private final ClassNode node = new ClassTree();
    private final Map<ProbedMethod, MethodNode> probed = new LinkedHashMap<>();
    private final Map<MethodNode, MovedCode> moved = new LinkedHashMap<>();
    private final List<String[]> failures = new ArrayList<>();

    /** Puts probes into a class, but for some methods. */
    Insertion(ClassLoader loader, ClassReader reader, Set<String> tooLong) {
      this.loader = loader;
      this.reader = reader;
      this.tooLong = tooLong;
      reader.accept(node, ClassReader.EXPAND_FRAMES);
      for (MethodNode method : node.methods) {
        for (Probe probe : probes) {
          if (isFor(probe, node, method)) {
            insert(probe, method);
          }
        }
      }
    }

    /** The class file; null: no probe is in it. */
    byte[] classFile() {
      if (probed.isEmpty()) {
        return null;
      }
      moved.values().forEach(MovedCode::mark);
      ClassWriter writer = new ClassWriter(reader, 0);
      node.accept(writer);
      return writer.toByteArray();
    }

    /** Tells what has probes and what has none, and where code has moved to. */
    void tell(ClassFile before) {
      Map<String, ClassFile.Code> codes = codes(before);
      failures.forEach(each -> fail(each[0], each[1]));
      moved.forEach(
          (method, code) -> {
            ClassFile.Code was = codes.get(method.name + method.desc);
            BasicBlocks blocks = new BasicBlocks(before, was);
            ProbeTransformer.this.tell(
                "moved",
                node.name,
                method.name,
                method.desc,
                Long.toString(Clocks.now()),
                code.spans(blocks),
                code.calls(blocks));
          });
      probed.forEach(
          (each, method) ->
              tellOnce(each, loader, node, method, codes.get(method.name + method.desc)));
    }

    private void insert(Probe probe, MethodNode method) {
      String subject = node.name.replace('/', '.') + "." + method.name + method.desc;
      if (method.instructions.size() == 0) {
        boolean isNative = (method.access & Opcodes.ACC_NATIVE) != 0;
        note(subject, "it is " + (isNative ? "native" : "abstract") + ", so there is no code");
        return;
      }
      if (tooLong.contains(method.name + method.desc)) {
        note(
            subject,
            "with a probe its code or its frame would be larger than that of a method may be");
        return;
      }
      ProbedMethod made = classes.method(probe, loader, node.name, method.name + method.desc);
      if (made == null) {
        note(subject, Probes.MOST + " methods have probes already");
        return;
      }
      try {
        MovedCode code = moved.containsKey(method) ? moved.get(method) : new MovedCode(method);
        if (ProbeCode.insert(node, loader, method, made)) {
          probed.put(made, method);
          moved.put(method, code);
        } else {
          note(subject, "no single call of another constructor was found in it");
        }
      } catch (ConditionException e) {
        note(subject, "the condition does not fit: " + e.getMessage());
      }
    }

    private void note(String subject, String reason) {
      failures.add(new String[] {subject, reason});
    }
  }

  /** Bridges only call the method that they stand for. */
  private static boolean isFor(Probe probe, ClassNode node, MethodNode method) {
    return probe.pattern().hasClass(node.name)
        && probe.pattern().hasMethod(method.name, method.desc)
        && (method.access & Opcodes.ACC_BRIDGE) == 0;
  }

  /** The code of methods as it is in the class file, by name and descriptor. */
  private static Map<String, ClassFile.Code> codes(ClassFile classFile) {
    Map<String, ClassFile.Code> codes = new HashMap<>();
    for (ClassFile.Method method : classFile.methods()) {
      codes.put(method.name() + method.descriptor(), method.code());
    }
    return codes;
  }

  /**
   * Tells the class file that a class had before it was changed, if there is room for it. It comes
   * behind the methods of the class.
   */
  private synchronized void tellClass(ClassLoader loader, String name, byte[] classFile) {
    if (!classes.isTold(loader, name)) {
      boolean hasRoom = room.addAndGet(-classFile.length) >= 0;
      tell("class", name, loaderName(loader), hasRoom ? text(classFile) : "");
      classes.noteTold(loader, name);
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
