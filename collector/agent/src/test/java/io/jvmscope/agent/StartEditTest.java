package io.jvmscope.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jvmscope.classfile.ClassFile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** Which methods {@code --from} names; other languages have names that Java does not. */
final class StartEditTest {
  private static final List<String> METHODS =
      List.of("sum:()V", "sum:(I)V", "sum (all):()V", "sum (all):(I)V", "(:()V", "of:(La/B;)V");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "app.Sums.sum|sum:()V, sum:(I)V",
        "app.Sums.sum()V|sum:()V",
        "app.Sums.sum (all)|sum (all):()V, sum (all):(I)V",
        "app.Sums.sum (all)(I)V|sum (all):(I)V",
        "app.Sums.sum (|##",
        "app.Sums.(|(:()V",
        "app.Sums.of(La.B;)V|of:(La/B;)V",
        "app.Sums.of(La/B;)V|of:(La/B;)V",
        "app.Other.sum|##",
      })
  void namesMethodsByNameOrByDescriptorToo(String from, String expected) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "app/Sums", null, "java/lang/Object", null);
    List<String> found = new ArrayList<>();
    for (ClassEdit edit : StartEdit.of(from, new ClassFile(writer.toByteArray()))) {
      for (String method : METHODS) {
        int colon = method.indexOf(':');
        if (((StartEdit) edit).isAbout(method.substring(0, colon), method.substring(colon + 1))) {
          found.add(method);
        }
      }
    }
    assertEquals(expected, String.join(", ", found));
  }
}
