import static org.objectweb.asm.Opcodes.*;

import java.nio.file.Files;
import java.nio.file.Path;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/** Writes classes whose constructors no compiler of Java 17 makes. */
public final class EarlyClasses {
  private static final String OBJECT = "java/lang/Object";

  private EarlyClasses() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    Files.write(directory.resolve("EarlyMaybe.class"), maybe());
    Files.write(directory.resolve("EarlySum.class"), sum());
    Files.write(directory.resolve("TwoWays.class"), twoWays());
  }

  private static ClassWriter begin(String name, String above) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(V17, ACC_PUBLIC | ACC_SUPER, name, null, above, null);
    return writer;
  }

  private static void field(ClassWriter writer, int access, String name, String type) {
    FieldVisitor field = writer.visitField(access, name, type, null, null);
    field.visitEnd();
  }

  private static MethodVisitor constructor(ClassWriter writer, String descriptor) {
    MethodVisitor code = writer.visitMethod(ACC_PUBLIC, "<init>", descriptor, null, null);
    code.visitCode();
    return code;
  }

  private static byte[] end(ClassWriter writer, MethodVisitor code) {
    code.visitInsn(RETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void callObject(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 0);
    code.visitMethodInsn(INVOKESPECIAL, OBJECT, "<init>", "()V", false);
  }

  /** if (n != 0) this.x = n; super(); */
  private static byte[] maybe() {
    ClassWriter writer = begin("EarlyMaybe", OBJECT);
    field(writer, ACC_PUBLIC, "x", "I");
    MethodVisitor code = constructor(writer, "(I)V");
    Label not = new Label();
    code.visitVarInsn(ILOAD, 1);
    code.visitJumpInsn(IFEQ, not);
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ILOAD, 1);
    code.visitFieldInsn(PUTFIELD, "EarlyMaybe", "x", "I");
    code.visitLabel(not);
    code.visitFrame(F_NEW, 2, new Object[] {UNINITIALIZED_THIS, INTEGER}, 0, new Object[0]);
    callObject(code);
    return end(writer, code);
  }

  /** this.x = a + b; this.text = "t".concat("u"); super(); */
  private static byte[] sum() {
    ClassWriter writer = begin("EarlySum", OBJECT);
    field(writer, ACC_PUBLIC, "x", "I");
    field(writer, ACC_PUBLIC, "wide", "J");
    field(writer, ACC_PUBLIC, "text", "Ljava/lang/Object;");
    MethodVisitor code = constructor(writer, "(II)V");
    code.visitVarInsn(ALOAD, 0);
    code.visitInsn(DUP);
    code.visitVarInsn(ILOAD, 1);
    code.visitVarInsn(ILOAD, 2);
    code.visitInsn(IADD);
    code.visitFieldInsn(PUTFIELD, "EarlySum", "x", "I");
    code.visitInsn(DUP);
    code.visitVarInsn(ILOAD, 1);
    code.visitInsn(I2L);
    code.visitInsn(LNEG);
    code.visitFieldInsn(PUTFIELD, "EarlySum", "wide", "J");
    code.visitInsn(ICONST_1);
    code.visitTypeInsn(ANEWARRAY, OBJECT);
    code.visitFieldInsn(PUTFIELD, "EarlySum", "text", "Ljava/lang/Object;");
    callObject(code);
    return end(writer, code);
  }

  /** As Groovy chooses a constructor of the superclass; throws behind the last way. */
  private static byte[] twoWays() {
    String text = "Ljava/lang/String;";
    String above = "java/lang/Exception";
    ClassWriter writer = begin("TwoWays", above);
    field(writer, ACC_PUBLIC, "own", "I");
    field(writer, ACC_PUBLIC, "list", "Ljava/lang/Object;");
    field(writer, ACC_PUBLIC | ACC_STATIC, "escaped", "LTwoWays;");
    MethodVisitor change = writer.visitMethod(ACC_PUBLIC, "change", "(I)V", null, null);
    change.visitCode();
    change.visitVarInsn(ALOAD, 0);
    change.visitVarInsn(ILOAD, 1);
    change.visitFieldInsn(PUTFIELD, "TwoWays", "own", "I");
    change.visitInsn(RETURN);
    change.visitMaxs(0, 0);
    change.visitEnd();
    MethodVisitor code = constructor(writer, "(I" + text + ")V");
    Object[] before = {UNINITIALIZED_THIS, INTEGER, "java/lang/String"};
    Object[] behind = {"TwoWays", INTEGER, "java/lang/String"};
    Label[] ways = {new Label(), new Label(), new Label()};
    Label end = new Label();
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ILOAD, 1);
    code.visitTableSwitchInsn(0, 1, ways[2], ways[0], ways[1]);
    for (int k = 0; k < ways.length; k++) {
      code.visitLabel(ways[k]);
      code.visitFrame(F_NEW, 3, before, 1, new Object[] {UNINITIALIZED_THIS});
      if (k > 0) {
        code.visitVarInsn(ALOAD, 2);
      }
      String descriptor = k > 0 ? "(" + text + ")V" : "()V";
      code.visitMethodInsn(INVOKESPECIAL, above, "<init>", descriptor, false);
      if (k == 2) {
        code.visitVarInsn(ALOAD, 0);
        code.visitFieldInsn(PUTSTATIC, "TwoWays", "escaped", "LTwoWays;");
        code.visitInsn(ICONST_1);
        code.visitInsn(ICONST_0);
        code.visitInsn(IDIV);
        code.visitInsn(POP);
      }
      code.visitJumpInsn(GOTO, end);
    }
    code.visitLabel(end);
    code.visitFrame(F_NEW, 3, behind, 0, new Object[0]);
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ILOAD, 1);
    code.visitFieldInsn(PUTFIELD, "TwoWays", "own", "I");
    code.visitVarInsn(ALOAD, 0);
    code.visitTypeInsn(NEW, OBJECT);
    code.visitInsn(DUP);
    code.visitMethodInsn(INVOKESPECIAL, OBJECT, "<init>", "()V", false);
    code.visitFieldInsn(PUTFIELD, "TwoWays", "list", "Ljava/lang/Object;");
    return end(writer, code);
  }
}
