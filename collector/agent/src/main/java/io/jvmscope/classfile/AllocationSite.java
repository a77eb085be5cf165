package io.jvmscope.classfile;

import io.jvmscope.classfile.LeafMethods.Leaf;
import java.util.ArrayList;
import java.util.List;

/**
 * An instruction that makes objects, and the type of what it makes.
 *
 * @param instruction its number in the method
 * @param type name of the class, or descriptor of the array; null where only the program's run
 *     tells
 * @param place number of the site among those of its kind that come before it, and of a {@link
 *     Kind#NESTED} one the number of its first dimension
 */
public record AllocationSite(int instruction, Kind kind, String type, int place, int dimensions) {
  /** How a site makes objects. */
  public enum Kind {
    /** {@code new}: one of a class. */
    INSTANCE,
    /** {@code newarray}, {@code anewarray}: one array. */
    ARRAY,
    /** {@code multianewarray}: an array of arrays, all of them new. */
    NESTED,
    /** A call of a native method that returns a new object, and new arrays in new arrays. */
    NATIVE,
    /** A call of {@code Array.get}, which returns a new object if the elements are numbers. */
    ELEMENT,
    /** A call of {@code Object.clone}, which copies one object. */
    CLONE,
    /** As CLONE, if the class of the receiver has no clone of its own. */
    OPEN_CLONE,
    /** As CLONE or NATIVE, if no method with a body was called in its place. */
    EITHER
  }

  private static final String ARRAY_TYPES = "ZCFDBSIJ"; // by the operand of newarray, from 4 on

  /** Natives with an array as their result that is not a new one, or is the VM compiler's. */
  private static boolean isExcepted(Leaf leaf) {
    return leaf.name().equals("scopedValueCache") || leaf.owner().startsWith("jdk/vm/ci/");
  }

  /** Has a site a counter of the node? The others have slots. */
  public boolean isCounter() {
    return kind == Kind.INSTANCE;
  }

  /** The sites of a method in the order of its instructions. */
  static List<AllocationSite> of(ClassFile file, BasicBlocks blocks, MethodPlan.Site[] calls) {
    List<AllocationSite> found = new ArrayList<>();
    int counters = 0;
    int slots = 0;
    for (int i = 0; i < blocks.instructionCount(); i++) {
      AllocationSite site = at(file, blocks, calls[i], i, counters, slots);
      if (site != null) {
        found.add(site);
        counters += site.isCounter() ? 1 : 0;
        slots += site.isCounter() ? 0 : site.dimensions();
      }
    }
    return found;
  }

  private static AllocationSite at(
      ClassFile file, BasicBlocks blocks, MethodPlan.Site call, int i, int counters, int slots) {
    int at = blocks.position(i);
    switch (blocks.opcode(i)) {
      case Opcodes.NEW:
        return new AllocationSite(i, Kind.INSTANCE, file.className(file.u2(at + 1)), counters, 1);
      case Opcodes.NEWARRAY:
        String type = "[" + ARRAY_TYPES.charAt(file.u1(at + 1) - 4);
        return new AllocationSite(i, Kind.ARRAY, type, slots, 1);
      case Opcodes.ANEWARRAY:
        String element = file.className(file.u2(at + 1));
        String array = element.startsWith("[") ? "[" + element : "[L" + element + ";";
        return new AllocationSite(i, Kind.ARRAY, array, slots, 1);
      case Opcodes.MULTIANEWARRAY:
        String nested = file.className(file.u2(at + 1));
        return new AllocationSite(i, Kind.NESTED, nested, slots, file.u1(at + 3));
      default:
        Kind kind = call == null || call.leaf() == null ? null : kindOf(call);
        return kind == null ? null : new AllocationSite(i, kind, null, slots, 1);
    }
  }

  private static Kind kindOf(MethodPlan.Site call) {
    Leaf leaf = call.leaf();
    boolean isEither = call.kind() == MethodPlan.SiteKind.EITHER;
    switch (leaf.owner() + "." + leaf.name()) {
      case "java/lang/Object.clone":
        boolean isOpen = call.kind() == MethodPlan.SiteKind.OPEN;
        return isEither ? Kind.EITHER : isOpen ? Kind.OPEN_CLONE : Kind.CLONE;
      case "java/lang/reflect/Array.get":
        return Kind.ELEMENT;
      case "jdk/internal/misc/Unsafe.allocateInstance":
      case "jdk/internal/misc/Unsafe.allocateUninitializedArray":
      case "jdk/internal/misc/Unsafe.allocateUninitializedArray0":
      case "java/lang/reflect/Array.newArray":
      case "java/lang/reflect/Array.multiNewArray":
        return Kind.NATIVE;
      default:
        boolean isNew = leaf.descriptor().contains(")[") && !isExcepted(leaf);
        return !isNew ? null : isEither ? Kind.EITHER : Kind.NATIVE;
    }
  }
}
