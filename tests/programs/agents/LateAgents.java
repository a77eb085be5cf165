package agents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Arrays;

/**
 * An agent that comes with the program, or into it, and gives a class its own class files. Each way
 * to do so is followed by {@value #CALLS} calls of the class's method, of an object that was there
 * before and of a new one.
 */
public class LateAgents {
  static final int CALLS = 10;
  static final String NAME = "agents/Changed";

  static Instrumentation instrumentation;
  static Changed old;

  public static void agentmain(String options, Instrumentation given) { instrumentation = given; }

  public static void premain(String options, Instrumentation given) { instrumentation = given; }

  /** What transformers need for the first time, in numbers as of a library for class files. */
  static final class Needed extends ClassLoader {
    static final int COUNT = 100;

    static void load(byte[] classFile) {
      for (int k = 0; k < COUNT; k++) {
        new Needed().defineClass(Library.class.getName(), classFile, 0, classFile.length);
      }
    }
  }

  static final class Library {}

  /** Returns a class file in the place of that of one class; null: says what it was shown. */
  static final class Supplier implements ClassFileTransformer {
    private final byte[] classFile;
    private final byte[] library;
    byte[] seen;

    Supplier(byte[] classFile) throws IOException {
      this.classFile = classFile;
      this.library = read("LateAgents$Library.class");
    }

    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
      if (!NAME.equals(name)) {
        return null;
      }
      seen = bytes.clone();
      Needed.load(library);
      return classFile;
    }
  }

  static byte[] read(String resource) throws IOException {
    try (InputStream in = LateAgents.class.getResourceAsStream(resource)) {
      return in.readAllBytes();
    }
  }

  static void call(String when) {
    Changed fresh = new Changed();
    int version = 0;
    for (int k = 0; k < CALLS; k++) {
      version = fresh.add(1) - fresh.sum();
      version += 10 * (old.add(1) - old.sum());
    }
    System.out.println(when + ": version " + version + ", sums " + fresh.sum() + " " + old.sum());
  }

  static void with(Supplier supplier, boolean isCapable, String when) throws Exception {
    instrumentation.addTransformer(supplier, isCapable);
    if (isCapable) {
      instrumentation.retransformClasses(Changed.class);
    } else {
      instrumentation.redefineClasses(new ClassDefinition(Changed.class, read("/first/Changed")));
    }
    call(when);
    instrumentation.removeTransformer(supplier);
    // The VM may put a class file together that is not the same byte for byte.
    System.out.println("shown more: " + new String(supplier.seen, ISO_8859_1).contains("jvmscope"));
  }

  public static void main(String[] args) throws Exception {
    byte[] first = read("/first/Changed");
    byte[] second = read("/second/Changed");
    Supplier loading = new Supplier(args.length > 0 ? second : null);
    instrumentation.addTransformer(loading, true);
    old = new Changed();
    call("loaded");
    instrumentation.removeTransformer(loading);
    System.out.println("shown the file: " + Arrays.equals(loading.seen, first));
    with(new Supplier(first), true, "the file itself");
    with(new Supplier(second), true, "another file");
    with(new Supplier(null), true, "nothing");
    with(new Supplier(second), false, "another file, of a transformer that cannot retransform");
    instrumentation.redefineClasses(new ClassDefinition(Changed.class, second));
    call("redefined");
    with(new Supplier(second), true, "the same file again");
    instrumentation.retransformClasses(Changed.class);
    call("retransformed");
    instrumentation.redefineClasses(new ClassDefinition(Changed.class, first));
    call("redefined as before");
  }
}
