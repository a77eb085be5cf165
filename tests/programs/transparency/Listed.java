package battery;

import java.lang.instrument.Instrumentation;
import java.lang.module.ModuleReader;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An agent of the program's own, which asks in every way for the classes of the VM. */
public final class Listed {
  private static Instrumentation instrumentation;

  private Listed() {}

  public static void premain(String options, Instrumentation given) {
    instrumentation = given;
  }

  /** What each way lists, and then what the class library has. */
  public static void main(String[] arguments) throws Exception {
    for (Method method : Instrumentation.class.getMethods()) {
      if (method.getReturnType() == Class[].class) {
        for (Object[] words : wordsFor(method)) {
          for (Class<?> type : (Class<?>[]) method.invoke(instrumentation, words)) {
            System.out.println(method.getName() + Arrays.toString(words).replaceAll("@.*", "]")
                + " " + type.getName());
          }
        }
      }
    }
    for (String module : List.of("java.base", "java.instrument")) {
      for (String name : names(module)) {
        System.out.println("library " + name);
      }
    }
  }

  private static List<Object[]> wordsFor(Method method) {
    List<Object[]> words = new ArrayList<>();
    if (method.getParameterCount() == 0) {
      words.add(new Object[0]);
    } else {
      words.add(new Object[] {null});
      words.add(new Object[] {ClassLoader.getPlatformClassLoader()});
      words.add(new Object[] {Listed.class.getClassLoader()});
    }
    return words;
  }

  private static List<String> names(String module) throws Exception {
    try (ModuleReader reader = ModuleLayer.boot().configuration().findModule(module)
        .orElseThrow().reference().open()) {
      return reader.list()
          .filter(file -> file.endsWith(".class") && !file.equals("module-info.class"))
          .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
          .toList();
    }
  }
}
