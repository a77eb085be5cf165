package io.jvmscope.dump;

import io.jvmscope.classfile.BasicBlocks;
import io.jvmscope.classfile.ClassFile;
import io.jvmscope.classfile.Opcodes;
import java.util.regex.Pattern;

/**
 * Whether the class file of a program can be read in all that tables say of it. One that cannot is
 * refused by the VM, when it defines the class or links it: no code of it ran, so there is nothing
 * to say of it.
 */
final class ClassFileCheck {
  private static final Pattern TYPE = Pattern.compile("\\[{0,255}(?:[BCDFIJSZ]|L[^.;\\[(]+;)");
  private static final Pattern METHOD =
      Pattern.compile("\\((?:" + TYPE + ")*+\\)(?:V|" + TYPE + ")");

  private ClassFileCheck() {}

  static boolean isReadable(byte[] bytes) {
    try {
      ClassFile file = new ClassFile(bytes);
      Operands text = new Operands(file, null);
      for (ClassFile.Field field : file.fields()) {
        if (!TYPE.matcher(field.descriptor()).matches()) {
          return false;
        }
      }
      for (ClassFile.Method method : file.methods()) {
        if (!METHOD.matcher(method.descriptor()).matches()) {
          return false;
        }
        if (method.code() != null) {
          read(new BasicBlocks(file, method.code()), file, text);
        }
      }
      return true;
    } catch (RuntimeException e) { // a broken file breaks reading in many ways
      return false;
    }
  }

  private static void read(BasicBlocks blocks, ClassFile file, Operands text) {
    for (int i = 0; i < blocks.instructionCount(); i++) {
      text.of(blocks, i);
      if (Opcodes.isInvoke(blocks.opcode(i))) {
        text.descriptor(file.invoked(blocks.position(i)).descriptor());
      }
    }
  }
}
