package battery;

import java.io.PrintStream;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.function.Function;

/** What reflection says of classes: of specimens all, of the class library's what it declares. */
final class Members {
  /** Those that a recording changes, and some of each kind. */
  private static final Class<?>[] LIBRARY = {
    Object.class, Class.class, Thread.class, ThreadGroup.class, ClassLoader.class, String.class,
    System.class, Runtime.class, StackTraceElement.class, Throwable.class, Math.class,
    Integer.class, Module.class, java.lang.ref.Reference.class, java.util.Random.class,
    java.util.ArrayList.class, java.util.HashMap.class, java.util.concurrent.TimeUnit.class,
    java.util.concurrent.ThreadLocalRandom.class, java.lang.invoke.MethodHandle.class,
    java.lang.instrument.Instrumentation.class, java.util.zip.CRC32C.class,
    java.nio.channels.FileChannel.class, StackWalker.class, Process.class
  };

  private Members() {}

  static void run(PrintStream out) throws Exception {
    for (Class<?> type : Specimens.ALL) {
      describe(out, type);
    }
    for (Class<?> type : LIBRARY) {
      out.println(type);
      declared(out, type);
    }
    for (String name : new String[] {"java.lang.Shutdown", "sun.nio.ch.FileDispatcherImpl",
        "java.lang.System$2", "java.lang.Thread$FieldHolder", "jdk.internal.misc.Unsafe",
        "jdk.internal.reflect.Reflection", "jdk.internal.misc.UnsafeConstants",
        "jdk.internal.module.ModuleBootstrap", "sun.instrument.InstrumentationImpl",
        "jdk.internal.loader.ClassLoaders$AppClassLoader", "jdk.internal.loader.NativeLibraries"}) {
      try {
        Class<?> type = Class.forName(name, false, null);
        out.println(type + " " + Modifier.toString(type.getModifiers()));
        declared(out, type);
      } catch (ClassNotFoundException e) {
        out.println("no " + name);
      }
    }
    unfiltered(out);
  }

  private static void describe(PrintStream out, Class<?> type) {
    out.println(type.toGenericString() + " " + type.getTypeName() + " " + type.descriptorString());
    out.println(" modifiers " + type.getModifiers() + " synthetic " + type.isSynthetic());
    out.println(" names " + type.getSimpleName() + " " + type.getCanonicalName()
        + " " + type.getPackageName() + " " + type.getModule());
    out.println(" above " + type.getGenericSuperclass() + " "
        + Arrays.toString(type.getAnnotatedInterfaces()));
    out.println(" enclosing " + type.getEnclosingClass() + " " + type.getEnclosingMethod()
        + " " + type.getDeclaringClass());
    out.println(" nest " + type.getNestHost() + " " + sorted(type.getNestMembers(), Class::getName));
    out.println(" inner " + sorted(type.getDeclaredClasses(), Class::getName)
        + sorted(type.getClasses(), Class::getName));
    out.println(" sealed " + type.isSealed() + " "
        + (type.isSealed() ? sorted(type.getPermittedSubclasses(), Class::getName) : null));
    out.println(" constants " + Arrays.toString(type.getEnumConstants()));
    annotations(out, type);
    if (type.isRecord()) {
      for (RecordComponent component : type.getRecordComponents()) {
        out.println(" component " + component + " " + component.getGenericSignature() + " "
            + component.getAccessor());
        annotations(out, component);
      }
    }
    declared(out, type);
    out.println(" all methods " + sorted(type.getMethods(), Method::toGenericString));
    out.println(" all fields " + sorted(type.getFields(), Field::toGenericString));
  }

  static void declared(PrintStream out, Class<?> type) {
    members(out, type.getDeclaredConstructors());
    members(out, type.getDeclaredMethods());
    members(out, type.getDeclaredFields());
    for (Class<?> each : sortedClasses(type.getDeclaredClasses())) {
      out.println("  class " + each.toGenericString());
    }
  }

  private static void members(PrintStream out, Member[] members) {
    Arrays.sort(members, (a, b) -> a.toString().compareTo(b.toString()));
    for (Member member : members) {
      out.println("  " + member + " " + member.getModifiers() + " " + member.isSynthetic());
      if (member instanceof Executable executable) {
        for (Parameter parameter : executable.getParameters()) {
          out.println("    " + parameter + " " + parameter.getParameterizedType() + " "
              + parameter.getModifiers() + " " + parameter.isImplicit());
          annotations(out, parameter);
        }
        out.println("    " + executable.toGenericString() + " " + executable.isVarArgs() + " "
            + executable.getAnnotatedReturnType() + " "
            + Arrays.toString(executable.getGenericExceptionTypes()));
      }
      if (member instanceof Method method) {
        out.println("    " + method.isBridge() + " " + method.isDefault() + " "
            + method.getDefaultValue());
      }
      annotations(out, (AnnotatedElement) member);
    }
  }

  private static void annotations(PrintStream out, AnnotatedElement element) {
    for (Object annotation : sorted(element.getAnnotations(), Object::toString)) {
      out.println("    " + annotation);
    }
  }

  /** Past the filters of reflection, as libraries do that want to see all. */
  private static void unfiltered(PrintStream out) throws Exception {
    Method fields = Class.class.getDeclaredMethod("getDeclaredFields0", boolean.class);
    Method methods = Class.class.getDeclaredMethod("getDeclaredMethods0", boolean.class);
    Method constructors = Class.class.getDeclaredMethod("getDeclaredConstructors0", boolean.class);
    for (Method method : new Method[] {fields, methods, constructors}) {
      method.setAccessible(true);
    }
    Class<?>[] types = {Thread.class, Class.class, Object.class, Specimens.WithNatives.class,
        Field.class, Constructor.class, System.class};
    for (int time = 0; time < 20; time++) { // reflection goes another way after a while
      for (Class<?> type : types) {
        Field[] found = (Field[]) fields.invoke(type, false);
        Method[] declared = (Method[]) methods.invoke(type, false);
        Method[] visible = (Method[]) methods.invoke(type, true);
        if (time == 0 || time == 19) {
          out.println("unfiltered " + type + sorted(found, Field::toString)
              + sorted(declared, Method::toString) + sorted(visible, Method::toString)
              + ((Object[]) constructors.invoke(type, false)).length);
        }
      }
    }
  }

  private static Class<?>[] sortedClasses(Class<?>[] classes) {
    Arrays.sort(classes, (a, b) -> a.getName().compareTo(b.getName()));
    return classes;
  }

  static <T> TreeSet<String> sorted(T[] all, Function<? super T, String> name) {
    TreeSet<String> names = new TreeSet<>();
    for (T each : all) {
      names.add(name.apply(each));
    }
    return names;
  }
}
