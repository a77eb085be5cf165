package io.jvmscope.study;

import io.jvmscope.classfile.ClassTree;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Puts static probes into the program's classes as they are loaded.
 *
 * <p>It does not take part in retransformation: what the VM transforms again, to put a dynamic
 * probe in or take it out, has the static probes in it like the program's own code.
 */
final class StudyTransformer implements ClassFileTransformer {
  private static final int LEFT_OUT =
      Opcodes.ACC_BRIDGE | Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT;

  /** Of the classes that JDK 17 makes for reflection. */
  private static final String ACCESSORS = "jdk.internal.reflect.DelegatingClassLoader";

  /** The classes that could not be changed, with the reason. */
  final Map<String, String> failures = new ConcurrentHashMap<>();

  private final List<Pattern> classes; // dotted names; none: all of the program
  private final StudiedMethods methods;
  private final Map<ClassLoader, Boolean> seeing = new WeakHashMap<>();

  StudyTransformer(List<Pattern> classes, StudiedMethods methods) {
    this.classes = classes;
    this.methods = methods;
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || redefined != null || isOfJdk(module, loader) || !isWanted(name)) {
      return null;
    }
    try {
      if (!seesUs(loader)) {
        failures.put(name, "its class loader does not ask for classes of the boot loader");
        return null;
      }
      return transform(name, classFile);
    } catch (Throwable e) { // the class stays as it is
      failures.put(name, e.toString());
      return null;
    }
  }

  private static boolean isOfJdk(Module module, ClassLoader loader) {
    if (loader == null || loader == ClassLoader.getPlatformClassLoader()) {
      return true;
    }
    if (loader.getClass().getName().equals(ACCESSORS)) {
      return true;
    }
    String name = module.isNamed() ? module.getName() : "";
    return name.startsWith("java.") || name.startsWith("jdk.");
  }

  private boolean isWanted(String internalName) {
    String name = internalName.replace('/', '.');
    return classes.isEmpty() || classes.stream().anyMatch(each -> each.matcher(name).matches());
  }

  private boolean seesUs(ClassLoader loader) {
    synchronized (seeing) {
      Boolean known = seeing.get(loader);
      if (known != null) {
        return known;
      }
    }
    boolean found; // asked without the lock: the loader may load classes
    try {
      found = Class.forName(StaticProbes.class.getName(), false, loader) == StaticProbes.class;
    } catch (ClassNotFoundException | LinkageError e) {
      found = false;
    }
    synchronized (seeing) {
      seeing.put(loader, found);
    }
    return found;
  }

  private byte[] transform(String name, byte[] classFile) {
    Set<String> tooLarge = new HashSet<>();
    while (true) {
      try {
        return transform(name, classFile, tooLarge);
      } catch (MethodTooLargeException e) { // once more without it
        String method = e.getMethodName() + e.getDescriptor();
        failures.put(name + "." + method, "with a probe it would be larger than a method may be");
        if (!tooLarge.add(method)) {
          throw e; // it is so without a probe
        }
      }
    }
  }

  /** The class with probes in all methods but some; null: none can have one. */
  private byte[] transform(String name, byte[] classFile, Set<String> tooLarge) {
    ClassReader reader = new ClassReader(classFile);
    ClassNode node = new ClassTree();
    reader.accept(node, ClassReader.EXPAND_FRAMES);
    boolean isChanged = false;
    for (MethodNode method : node.methods) {
      if ((method.access & LEFT_OUT) == 0
          && !method.name.equals("<clinit>")
          && !tooLarge.contains(method.name + method.desc)) {
        int number = methods.number(name, method.name, method.desc);
        isChanged |= ProbeInsertion.insert(node.version, method, number);
      }
    }
    if (!isChanged) {
      return null;
    }
    ClassWriter writer = new ClassWriter(reader, 0);
    node.accept(writer);
    return writer.toByteArray();
  }

  /** Has the VM load what {@link #transform} needs, before it is needed to load a class. */
  void warmUp() throws IOException {
    String name = StaticProbes.class.getName().replace('.', '/');
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      if (in != null) {
        new StudyTransformer(List.of(), new StudiedMethods()).transform(name, in.readAllBytes());
      }
    }
  }
}
