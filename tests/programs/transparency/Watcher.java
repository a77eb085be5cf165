package battery;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** An agent of the program's own, which sees the bytes of classes as they are loaded and again. */
public final class Watcher implements ClassFileTransformer {
  private static final Map<String, String> SEEN = new ConcurrentSkipListMap<>();

  private static Instrumentation instrumentation;

  public static void premain(String options, Instrumentation given) {
    instrumentation = given;
    given.addTransformer(new Watcher(), true);
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
    if (name != null && name.startsWith("battery/")) {
      String what = name + (type == null ? " loaded" : " again");
      SEEN.merge(what, bytes.length + " " + Arrays.hashCode(bytes), (a, b) -> a + ", " + b);
    }
    return null;
  }

  public static void main(String[] arguments) throws Exception {
    for (Class<?> type : Specimens.ALL) {
      System.out.println(type + " " + instrumentation.isModifiableClass(type));
    }
    instrumentation.retransformClasses(Specimens.WithNatives.class, Specimens.Plain.class);
    instrumentation.retransformClasses(Specimens.WithNatives.class);
    SEEN.forEach((name, seen) -> System.out.println(name + " " + seen));
    System.out.println(instrumentation.getObjectSize(new Specimens.Plain()));
    System.out.println(instrumentation.isNativeMethodPrefixSupported());
  }
}
