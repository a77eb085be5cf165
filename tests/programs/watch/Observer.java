import java.io.FileOutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/** Another agent: writes what it sees of a class, given as FILE:CLASS, when it transforms that. */
public final class Observer {
  private Observer() {}

  public static void agentmain(String option, Instrumentation instrumentation) throws Exception {
    String file = option.substring(0, option.indexOf(':'));
    String name = option.substring(file.length() + 1);
    ClassFileTransformer observer =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader, String type, Class<?> old, ProtectionDomain domain, byte[] seen) {
            if (name.equals(type)) {
              try (FileOutputStream out = new FileOutputStream(file)) {
                out.write(seen);
              } catch (java.io.IOException e) {
                throw new IllegalStateException(e);
              }
            }
            return null;
          }
        };
    instrumentation.addTransformer(observer, true);
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.getName().equals(name)) {
        instrumentation.retransformClasses(type);
      }
    }
    instrumentation.removeTransformer(observer);
  }
}
