package battery;

import com.sun.tools.attach.VirtualMachine;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** A program that attaches to itself and loads an agent, which changes a class that it has. */
public final class Attached {
  private static final Map<String, Integer> SEEN = new ConcurrentSkipListMap<>();

  private Attached() {}

  /** What the agent changes: the text in its constant pool. */
  static final class Target {
    static String text() {
      return "before";
    }
  }

  public static void agentmain(String options, Instrumentation instrumentation) throws Exception {
    System.out.println("agent " + options + " " + instrumentation.isRetransformClassesSupported()
        + instrumentation.isRedefineClassesSupported());
    ClassFileTransformer changes = new ClassFileTransformer() {
      @Override
      public byte[] transform(ClassLoader loader, String name, Class<?> type,
          ProtectionDomain domain, byte[] bytes) {
        if (name == null || !name.startsWith("battery/")) {
          return null;
        }
        SEEN.merge(name, 1, Integer::sum);
        return name.endsWith("$Target") ? changed(bytes) : null;
      }
    };
    instrumentation.addTransformer(changes, true);
    instrumentation.retransformClasses(Target.class);
    System.out.println("changed " + Target.text());
    new Specimens.Plain();
    instrumentation.removeTransformer(changes);
    instrumentation.retransformClasses(Target.class);
    System.out.println("again " + Target.text());
    System.out.println(SEEN);
    boolean isOwn = false;
    int count = 0;
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      isOwn |= type == Target.class;
      count += type.getName().startsWith("battery.") ? 1 : 0;
    }
    System.out.println(isOwn + " " + count);
    System.out.println(instrumentation.getInitiatedClasses(Attached.class.getClassLoader()).length
        > 0);
  }

  /** The class file with other letters of the same length. */
  private static byte[] changed(byte[] bytes) {
    byte[] result = bytes.clone();
    byte[] from = "before".getBytes();
    byte[] to = "edited".getBytes();
    for (int i = 0; i + from.length <= result.length; i++) {
      if (java.util.Arrays.equals(from, java.util.Arrays.copyOfRange(result, i, i + from.length))) {
        System.arraycopy(to, 0, result, i, to.length);
      }
    }
    return result;
  }

  public static void main(String[] words) throws Exception {
    System.out.println(Target.text());
    VirtualMachine machine =
        VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
    System.out.println(machine.getSystemProperties().getProperty("java.version"));
    machine.loadAgent(words[0], "told");
    machine.detach();
    System.out.println("after " + Target.text());
  }
}
