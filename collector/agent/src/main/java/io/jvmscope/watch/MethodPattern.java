package io.jvmscope.watch;

import java.util.List;
import java.util.regex.Pattern;
import org.objectweb.asm.Type;

/**
 * Which methods a probe is for.
 *
 * @param type the names of classes, dotted
 * @param method the names of methods
 * @param parameters the types of parameters, dotted, with or without packages, and {@code *} for
 *     any; null: all methods with the name
 */
record MethodPattern(Pattern type, Pattern method, List<String> parameters) {
  boolean hasClass(String internalName) {
    return type.matcher(internalName.replace('/', '.')).matches();
  }

  boolean hasMethod(String name, String descriptor) {
    return method.matcher(name).matches() && hasParameters(Type.getArgumentTypes(descriptor));
  }

  private boolean hasParameters(Type[] found) {
    if (parameters == null) {
      return true;
    }
    if (parameters.size() != found.length) {
      return false;
    }
    for (int k = 0; k < found.length; k++) {
      if (!isNamed(found[k].getClassName(), parameters.get(k))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isNamed(String type, String name) {
    return name.equals("*")
        || type.equals(name)
        || type.endsWith("." + name)
        || type.endsWith("$" + name);
  }
}
