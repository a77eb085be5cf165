package io.jvmscope.agent;

import static jdk.internal.perf.ArenaLayout.FIRST_IS_OBJECT;
import static jdk.internal.perf.ArenaLayout.SECOND_IS_OBJECT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.objectweb.asm.Opcodes.ANEWARRAY;

import io.jvmscope.snippet.Context;
import io.jvmscope.snippet.Counter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

class FewKeysTest {
  /** What a user writes; it is never run. */
  static final class Snippets {
    static Counter n;
    static Integer boxed;

    static void none(Context c) {
      n.add(c, 1);
    }

    static void number(Context c) {
      n.add(c, 1, c.hashCode() + 3);
    }

    static void object(Context c) {
      n.add(c, 1, c.toString());
    }

    static void numberAndObject(Context c) {
      n.add(c, 1, 5, c.getClass());
    }

    static void objectAndNumber(Context c) {
      n.add(c, 1, boxed, 5);
    }

    static void twoNumbers(Context c) {
      n.add(c, 1, c.hashCode(), Math.max(1, c.hashCode()));
    }

    static void longKey(Context c) {
      n.add(c, 1, 5L, null);
    }

    static void three(Context c) {
      n.add(c, 1, 1, 2, 3);
    }

    static void branch(Context c) {
      n.add(c, 1, c == null ? 1 : 2);
    }

    static void array(Context c) {
      n.add(c, 1, new int[] {5}[0]);
    }

    static void given(Context c, Object[] keys) {
      n.add(c, 1, keys);
    }
  }

  private static ClassNode changed() throws IOException {
    ClassNode tree = new ClassNode();
    new ClassReader(Snippets.class.getName()).accept(tree, 0);
    FewKeys.apply(tree);
    return tree;
  }

  /** The forms of a method's calls with few keys; -1: a call with an array. */
  private static List<Integer> forms(MethodNode method) {
    List<Integer> forms = new ArrayList<>();
    for (AbstractInsnNode i : method.instructions) {
      if (i instanceof MethodInsnNode call && call.name.equals("add")) {
        AbstractInsnNode form = call.getPrevious();
        boolean isArray = call.desc.contains("[");
        forms.add(isArray ? Integer.valueOf(-1) : Integer.valueOf(intOf(form)));
      }
    }
    return forms;
  }

  private static int intOf(AbstractInsnNode push) {
    return push instanceof IntInsnNode number ? number.operand : push.getOpcode() - 3;
  }

  private static void assertForms(String name, Integer expected) throws IOException {
    for (MethodNode method : changed().methods) {
      if (method.name.equals(name)) {
        assertEquals(List.of(expected), forms(method), name);
        boolean hasArray = false;
        for (AbstractInsnNode i : method.instructions) {
          hasArray |= i.getOpcode() == ANEWARRAY;
        }
        assertEquals(expected < 0 && !name.equals("given"), hasArray, name);
      }
    }
  }

  @Test
  void atMostTwoKeysNeedNoArray() throws IOException {
    assertForms("none", 0);
    assertForms("number", 1);
    assertForms("object", 1 | FIRST_IS_OBJECT);
    assertForms("numberAndObject", 2 | SECOND_IS_OBJECT);
    assertForms("objectAndNumber", 2 | FIRST_IS_OBJECT);
    assertForms("twoNumbers", 2);
    assertForms("longKey", 2 | FIRST_IS_OBJECT | SECOND_IS_OBJECT);
  }

  @Test
  void otherCallsStay() throws IOException {
    assertForms("three", -1);
    assertForms("branch", -1);
    assertForms("array", -1);
    assertForms("given", -1);
  }

  @Test
  void whatIsChangedVerifiesWithTheStackItSays() throws Exception {
    ClassWriter writer = new ClassWriter(0);
    changed().accept(writer);
    byte[] bytes = writer.toByteArray();
    ClassLoader loader =
        new ClassLoader(FewKeysTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean isIt = name.equals(Snippets.class.getName());
            return isIt
                ? defineClass(name, bytes, 0, bytes.length)
                : super.loadClass(name, resolve);
          }
        };
    assertEquals(loader, Class.forName(Snippets.class.getName(), true, loader).getClassLoader());
  }
}
