package battery;

import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** What only a program finds that asks for it by the name that a recording gave it, or by JNI. */
final class Names {
  private Names() {}

  static void run(PrintStream out) throws Exception {
    for (String name : new String[] {"io.jvmscope.agent.Agent", "java.lang.CallingContext"}) {
      attempt(out, name, () -> Class.forName(name, false, null).getName());
    }
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    attempt(out, "method of Object", () -> lookup.findStatic(
        Object.class, "jvmscope$thread", MethodType.methodType(Thread.class)));
    MethodHandles.Lookup inside = MethodHandles.privateLookupIn(Thread.class, lookup);
    attempt(out, "field of Thread",
        () -> inside.findVarHandle(Thread.class, "jvmscope$slot", long.class).varType());
    String library = System.getProperty("battery.library");
    if (library != null) {
      System.load(library);
      attempt(out, "field of Thread by JNI",
          () -> NativeCalls.fieldId(Thread.class, "jvmscope$slot", "J") != 0);
      attempt(out, "native by JNI", () -> NativeCalls.reflect(
          NativeCalls.class, "ofInstance", "(JDLjava/lang/Object;)I", false));
    }
    out.println("java.vm.info: " + System.getProperty("java.vm.info"));
  }

  interface Attempt {
    Object run() throws Throwable;
  }

  private static void attempt(PrintStream out, String what, Attempt attempt) {
    try {
      out.println(what + ": " + attempt.run());
    } catch (Throwable e) {
      out.println(what + ": " + e.getClass().getName());
    }
  }
}
