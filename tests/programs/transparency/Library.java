package battery;

import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.zip.CRC32;

/** What reflection says of the class library: a checksum of each class, or all of some classes. */
public final class Library {
  private static final ClassLoader LOADER = ClassLoader.getSystemClassLoader();

  private Library() {}

  /**
   * Prints the checksum of each class of the modules that are named, in order; without a module, of
   * all. After {@code of}, prints what is said of the classes that are named.
   */
  public static void main(String[] words) throws Exception {
    boolean isWhole = words.length > 0 && words[0].equals("of");
    Set<String> wanted = Set.of(isWhole ? new String[0] : words);
    for (String name : isWhole ? List.of(words).subList(1, words.length) : names(wanted)) {
      String said = said(name);
      if (isWhole) {
        System.out.println(name + "\n" + said);
      } else {
        CRC32 sum = new CRC32();
        sum.update(said.getBytes("UTF-8"));
        System.out.println(name + " " + said.length() + " " + Long.toHexString(sum.getValue()));
      }
    }
  }

  private static Set<String> names(Set<String> wanted) throws IOException {
    Set<String> names = new TreeSet<>();
    for (ResolvedModule module : ModuleLayer.boot().configuration().modules()) {
      if (wanted.isEmpty() || wanted.contains(module.name())) {
        ModuleReference reference = module.reference();
        try (ModuleReader reader = reference.open()) {
          reader.list()
              .filter(file -> file.endsWith(".class") && !file.startsWith("META-INF/"))
              .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
              .forEach(names::add);
        }
      }
    }
    return names;
  }

  private static String said(String name) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    Class<?> type;
    try {
      type = Class.forName(name, false, LOADER);
    } catch (ClassNotFoundException | LinkageError e) {
      return e.toString();
    }
    say(out, "class", () -> type.toGenericString() + type.getModifiers() + type.getModule()
        + type.isSynthetic() + type.desiredAssertionStatus());
    say(out, "above",
        () -> type.getGenericSuperclass() + Arrays.toString(type.getGenericInterfaces()));
    say(out, "around", () -> type.getNestHost() + " " + type.getEnclosingMethod() + " "
        + type.getEnclosingClass() + " " + type.getDeclaringClass());
    say(out, "inside", () -> Members.sorted(type.getNestMembers(), Class::getName) + " "
        + Members.sorted(type.getDeclaredClasses(), Class::getName));
    say(out, "sealed", () -> type.isSealed()
        ? Members.sorted(type.getPermittedSubclasses(), Class::getName) : null);
    annotated(out, type);
    say(out, "constructors", () -> members(type.getDeclaredConstructors()));
    say(out, "methods", () -> members(type.getDeclaredMethods()));
    say(out, "fields", () -> members(type.getDeclaredFields()));
    say(out, "components", () -> type.isRecord() ? members(type.getRecordComponents()) : null);
    if (Serializable.class.isAssignableFrom(type)) { // initialises classes
      say(out, "constants", () -> Arrays.toString(type.getEnumConstants()));
      say(out, "serialised", () -> {
        ObjectStreamClass stream = ObjectStreamClass.lookupAny(type);
        return stream + Arrays.toString(stream.getFields());
      });
    }
    return text.toString();
  }

  private static String members(AnnotatedElement[] all) {
    TreeSet<String> lines = new TreeSet<>();
    for (AnnotatedElement each : all) {
      StringWriter text = new StringWriter();
      PrintWriter out = new PrintWriter(text);
      out.println(each);
      annotated(out, each);
      if (each instanceof Member member) {
        out.println(member.getModifiers() + " " + member.isSynthetic());
      }
      if (each instanceof Executable executable) {
        say(out, "generic", () -> executable.toGenericString() + executable.isVarArgs());
        say(out, "parameters", () -> {
          String parameters = Arrays.toString(executable.getParameters());
          return parameters + Arrays.deepToString(executable.getParameterAnnotations());
        });
      } else if (each instanceof Field field) {
        say(out, "generic", field::toGenericString);
      } else if (each instanceof RecordComponent component) {
        say(out, "generic", () -> component.getGenericSignature() + component.getAccessor());
      }
      if (each instanceof Method method) {
        say(out, "default",
            () -> Arrays.deepToString(new Object[] {method.getDefaultValue(), method.isBridge()}));
      }
      lines.add(text.toString());
    }
    return String.join("", lines);
  }

  private static void annotated(PrintWriter out, AnnotatedElement element) {
    if (element.getDeclaredAnnotations().length > 0) {
      say(out, "annotations",
          () -> Members.sorted(element.getDeclaredAnnotations(), Library::ordered));
    }
  }

  /** The values of an annotation are in the order of its methods, which no specification fixes. */
  private static String ordered(Object annotation) {
    return new TreeSet<>(List.of(annotation.toString().split("[(,)] ?"))).toString();
  }

  private static void say(PrintWriter out, String what, Supplier<Object> said) {
    try {
      out.println(what + " " + said.get());
    } catch (RuntimeException | LinkageError e) {
      out.println(what + " " + e);
    }
  }
}
