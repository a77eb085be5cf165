import io.jvmscope.agent.ObjectMeasure;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.layout.HeapModel;
import io.jvmscope.layout.ObjectLayouts;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import sun.misc.Unsafe;

/**
 * Compares the sizes that the dump computes from class files with what a bare VM says, for every
 * class that it can make an instance of: those of java.base, and those named as arguments of the
 * agent. Writes a line for each that differs, then how many were compared.
 */
public final class ObjectSizes {
  private static final Map<String, Integer> IDS = new HashMap<>();
  private static final List<Class<?>> CLASSES = new ArrayList<>();

  /** Classes whose instances differ in size. */
  private static final List<String> VARIABLE =
      List.of("java.lang.Class", "jdk.internal.vm.StackChunk");

  private static int differ;
  private static int compared;

  private ObjectSizes() {}

  public static void premain(String names, Instrumentation vm) throws Exception {
    String[] options =
        ManagementFactory.getRuntimeMXBean().getInputArguments().toArray(new String[0]);
    HeapModel heap = ObjectMeasure.measure(vm, options);
    System.out.println(heap);
    ObjectLayouts layouts = new ObjectLayouts(1 << 16, heap);
    List<String> all = new ArrayList<>(classesOfTheJdk());
    all.addAll(List.of(names.split(",")));
    for (String name : all) {
      Class<?> type = load(name);
      if (type != null && !type.isInterface()) {
        define(type, layouts);
      }
    }
    Unsafe unsafe = unsafe();
    for (Class<?> type : CLASSES) {
      Object instance = make(type, unsafe);
      if (instance != null) {
        compare(type.getName(), vm.getObjectSize(instance), layouts.instanceBytes(idOf(type)));
      }
    }
    compareArrays(vm, heap);
    System.out.println("compared " + compared + ", differ " + differ);
    Runtime.getRuntime().halt(0);
  }

  public static void main(String[] arguments) {}

  private static List<String> classesOfTheJdk() throws IOException {
    Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
    try (Stream<Path> files = Files.walk(base)) {
      return files
          .map(file -> base.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && !file.startsWith("META"))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .sorted()
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, ObjectSizes.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private static int idOf(Class<?> type) {
    return IDS.getOrDefault(type.getName(), -1);
  }

  private static int define(Class<?> type, ObjectLayouts layouts) throws IOException {
    if (type == null || IDS.containsKey(type.getName())) {
      return type == null ? -1 : idOf(type);
    }
    int above = define(type.getSuperclass(), layouts);
    String file = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getModule().getResourceAsStream(file)) {
      InputStream found = in != null ? in : ObjectSizes.class.getResourceAsStream(file);
      if (found != null) {
        int id = IDS.size();
        IDS.put(type.getName(), id);
        CLASSES.add(type);
        layouts.define(id, new ClassFile(found.readAllBytes()), above, isOfJdk(type));
      }
    }
    return idOf(type);
  }

  private static boolean isOfJdk(Class<?> type) {
    return type.getClassLoader() == null
        || type.getClassLoader() == ClassLoader.getPlatformClassLoader();
  }

  private static Object make(Class<?> type, Unsafe unsafe) {
    if (Modifier.isAbstract(type.getModifiers()) || VARIABLE.contains(type.getName())) {
      return null;
    }
    try {
      return unsafe.allocateInstance(type);
    } catch (InstantiationException | RuntimeException | Error e) {
      return null;
    }
  }

  private static void compareArrays(Instrumentation vm, HeapModel heap) {
    for (int length = 0; length < 100; length++) {
      compare("byte[]", vm.getObjectSize(new byte[length]), heap.arrayBytes('B', length + 3 >> 2));
      compare("char[]", vm.getObjectSize(new char[length]), heap.arrayBytes('C', length + 1 >> 1));
      compare("int[]", vm.getObjectSize(new int[length]), heap.arrayBytes('I', length));
      compare("long[]", vm.getObjectSize(new long[length]), heap.arrayBytes('J', length));
      compare("Object[]", vm.getObjectSize(new Object[length]), heap.arrayBytes('L', length));
      compare("int[][]", vm.getObjectSize(new int[length][]), heap.arrayBytes('[', length));
    }
  }

  private static void compare(String name, long vm, long computed) {
    compared++;
    if (vm != computed) {
      differ++;
      System.out.println(name + ": the VM says " + vm + ", computed " + computed);
    }
  }

  private static Unsafe unsafe() throws ReflectiveOperationException {
    Field field = Unsafe.class.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    return (Unsafe) field.get(null);
  }
}
