package io.jvmscope.watch;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodNode;

/** The parameters of a method: by position, as {@code $1}, and by the names that are known. */
final class ParameterNames {
  private final MethodNode method;
  private final boolean isStatic;
  private final Type[] types;
  private final List<String> names = new ArrayList<>();

  /**
   * The parameters of a method.
   *
   * @param written names that the probe's text gives them, "" for none; null: none at all
   */
  ParameterNames(MethodNode method, List<String> written) {
    this.method = method;
    isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    types = Type.getArgumentTypes(method.desc);
    for (int k = 0; k < types.length; k++) {
      boolean isWritten = written != null && !written.get(k).isEmpty();
      names.add(isWritten ? written.get(k) : compiled(k));
    }
  }

  /** The name in the class file; "" if the compiler has left it out. */
  private String compiled(int index) {
    if (method.parameters != null && method.parameters.get(index).name != null) {
      return method.parameters.get(index).name;
    }
    if (method.localVariables != null) {
      for (LocalVariableNode variable : method.localVariables) {
        if (variable.index == local(index)) {
          return variable.name;
        }
      }
    }
    return "";
  }

  Type type(int index) {
    return types[index];
  }

  /** The local variable of a parameter. */
  int local(int index) {
    int local = isStatic ? 0 : 1;
    for (int k = 0; k < index; k++) {
      local += types[k].getSize();
    }
    return local;
  }

  /** The local variable of the receiver. */
  int receiver(Expression name) throws ConditionException {
    if (isStatic) {
      throw new ConditionException(name, "there is no 'this' in the static method " + method.name);
    }
    if (method.name.equals("<init>")) {
      throw new ConditionException(
          name, "the fields of 'this' are not set yet where a constructor begins");
    }
    return 0;
  }

  /** The parameter that a part of a condition names, from 0. */
  int index(Expression part) throws ConditionException {
    String name = part.text();
    int index = name.startsWith("$") ? position(name) : names.indexOf(name);
    if (index >= 0 && index < types.length) {
      return index;
    }
    throw new ConditionException(
        part, method.name + method.desc + " has no parameter '" + name + "'; it has " + shown());
  }

  private static int position(String name) {
    return name.length() > 4 ? -1 : Integer.parseInt(name.substring(1)) - 1;
  }

  private String shown() {
    if (types.length == 0) {
      return "none";
    }
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < types.length; k++) {
      String name = names.get(k);
      text.append(k == 0 ? "" : ", ").append('$').append(k + 1);
      text.append(name.isEmpty() ? "" : " " + name);
    }
    return text.toString();
  }
}
