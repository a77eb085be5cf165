package io.jvmscope.watch;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;

/**
 * Finds the fields of a class where the VM finds them: in itself, its interfaces, its superclass.
 */
final class Ancestors {
  private final ClassNode owner;
  private final ClassLoader loader; // null: the boot loader

  Ancestors(ClassNode owner, ClassLoader loader) {
    this.owner = owner;
    this.loader = loader;
  }

  /** The field that a name means in code of the class. */
  FieldNode field(Expression name) throws ConditionException {
    List<ClassNode> declaring = new ArrayList<>();
    FieldNode field = find(owner, name, declaring);
    if (field == null) {
      String text = "neither " + dotted(owner.name) + " nor a superclass of it declares";
      throw new ConditionException(name, text + " a field '" + name.text() + "'");
    }
    ClassNode in = declaring.get(0);
    boolean isPackaged = (field.access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) == 0;
    String wanted = "the field '" + name.text() + "' of " + dotted(in.name) + " is ";
    if (in != owner && (field.access & Opcodes.ACC_PRIVATE) != 0) {
      throw new ConditionException(
          name, wanted + "private, and code of " + dotted(owner.name) + " cannot read it");
    }
    if (isPackaged && !packageOf(in).equals(packageOf(owner))) {
      throw new ConditionException(
          name, wanted + "for its package alone, and " + dotted(owner.name) + " is in another one");
    }
    return field;
  }

  /** The field, and in the list the class that declares it; null: there is none. */
  private FieldNode find(ClassNode type, Expression name, List<ClassNode> declaring)
      throws ConditionException {
    for (FieldNode field : type.fields) {
      if (field.name.equals(name.text())) {
        declaring.add(type);
        return field;
      }
    }
    List<String> above = new ArrayList<>(type.interfaces);
    if (type.superName != null && (type.access & Opcodes.ACC_INTERFACE) == 0) {
      above.add(type.superName);
    }
    for (String each : above) {
      FieldNode found = find(read(each, name), name, declaring);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private ClassNode read(String name, Expression place) throws ConditionException {
    ClassLoader from = loader != null ? loader : ClassLoader.getPlatformClassLoader();
    try (InputStream in = from.getResourceAsStream(name + ".class")) {
      if (in != null) {
        ClassNode node = new ClassNode();
        int flags = ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES;
        new ClassReader(in).accept(node, flags);
        return node;
      }
    } catch (IOException | IllegalArgumentException e) {
      throw unreadable(name, place);
    }
    throw unreadable(name, place);
  }

  private static ConditionException unreadable(String name, Expression place) {
    String text = "it may be a field of " + dotted(name) + ", whose class file its loader does not";
    return new ConditionException(place, text + " give");
  }

  private static String packageOf(ClassNode type) {
    return type.name.substring(0, type.name.lastIndexOf('/') + 1);
  }

  private static String dotted(String name) {
    return name.replace('/', '.');
  }
}
