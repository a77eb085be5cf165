package battery;

import com.sun.tools.attach.VirtualMachine;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A program that loads an agent into itself, or has another VM do so, which changes a class that it
 * has; or is started with one that changes the class as it is loaded.
 */
public final class Attached {
  private static final Map<String, Integer> SEEN = new ConcurrentSkipListMap<>();

  private Attached() {}

  /** What the agent changes: the text in its constant pool. */
  static final class Target {
    static String text() {
      return "before";
    }
  }

  /** The agent of the command line. */
  public static void premain(String options, Instrumentation instrumentation) {
    System.out.println("agent " + options);
    instrumentation.addTransformer(new ClassFileTransformer() {
      @Override
      public byte[] transform(ClassLoader loader, String name, Class<?> type,
          ProtectionDomain domain, byte[] bytes) {
        return name != null && name.endsWith("Attached$Target") ? changed(bytes) : null;
      }
    });
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

  /** Nothing, to only say what Target says; a jar; and where another VM shall load it, `other`. */
  public static void main(String[] words) throws Exception {
    System.out.println(Target.text());
    if (words.length == 0) {
      return;
    }
    String self = String.valueOf(ProcessHandle.current().pid());
    if (words.length == 1) {
      load(self, words[0]);
    } else if (words[1].equals("other")) {
      String classes = System.getProperty("java.class.path");
      Process other = new ProcessBuilder("java", "-cp", classes, "battery.Attached", words[0], self)
          .inheritIO()
          .start();
      System.out.println("other " + other.waitFor());
    } else {
      load(words[1], words[0]);
      return;
    }
    System.out.println("after " + Target.text());
  }

  private static void load(String process, String jar) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(process);
    System.out.println(machine.getSystemProperties().getProperty("java.version"));
    machine.loadAgent(jar, "told");
    machine.detach();
  }
}
