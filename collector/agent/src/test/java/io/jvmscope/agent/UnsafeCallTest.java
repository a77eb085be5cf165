package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

class UnsafeCallTest {
  private static final String UNSAFE = "jdk.internal.misc.Unsafe";

  @Test
  void knowsEveryMethodOfThisJdkThatAccessesAVariableOfAnObject() throws Exception {
    Set<String> unknown = new TreeSet<>();
    for (Method method : Class.forName(UNSAFE).getDeclaredMethods()) {
      MethodInsnNode call = call(method.getName(), Type.getMethodDescriptor(method));
      boolean takesVariable = call.desc.startsWith("(Ljava/lang/Object;J");
      if (takesVariable && UnsafeCall.kind(call) == null) {
        unknown.add(method.getName().replaceFirst("(?<=Memory)(Checks|0)$", ""));
      }
    }
    unknown.removeIf(name -> name.startsWith("check") || name.endsWith("PrimitivePointer"));
    assertEquals(Set.of("copyMemory", "copySwapMemory", "setMemory"), unknown); // of arrays only
  }

  @Test
  void tellsWhatAMethodDoes() {
    assertEquals(UnsafeCall.Kind.READ, kind("getIntVolatile", "(Ljava/lang/Object;J)I"));
    assertEquals(
        UnsafeCall.Kind.WRITE, kind("putReference", "(Ljava/lang/Object;JLjava/lang/Object;)V"));
    assertEquals(UnsafeCall.Kind.UPDATE, kind("getAndAddInt", "(Ljava/lang/Object;JI)I"));
    assertEquals(UnsafeCall.Kind.SET, kind("weakCompareAndSetInt", "(Ljava/lang/Object;JII)Z"));
    assertEquals(
        UnsafeCall.Kind.EXCHANGE, kind("compareAndExchangeInt", "(Ljava/lang/Object;JII)I"));
    assertEquals(null, kind("getInt", "(J)I"));
    assertEquals(null, kind("objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J"));
  }

  private static UnsafeCall.Kind kind(String name, String descriptor) {
    return UnsafeCall.kind(call(name, descriptor));
  }

  private static MethodInsnNode call(String name, String descriptor) {
    String owner = UNSAFE.replace('.', '/');
    return new MethodInsnNode(INVOKEVIRTUAL, owner, name, descriptor, false);
  }
}
