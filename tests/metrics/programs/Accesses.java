/**
 * Arrays, fields, floating point, branches and calls, in straight lines: how often each method runs
 * stands beside its call, how many bytecodes each statement has beside the statement. All of its
 * 210 bytecodes: main 61, {@code <init>} 3, arrays 3 * 15, fields 5 * 11, floating 2 * 10, control
 * 5 + 3 * 7.
 */
public final class Accesses {
  int count;
  Object link;
  static float ratio;

  public static void main(String[] args) {
    int[] numbers = new int[1]; // 3: newarray
    char[] letters = new char[1]; // 3: newarray
    Object[] objects = new Object[2]; // 3: anewarray
    int[][] grid = new int[2][3]; // 4: multianewarray
    Accesses self = new Accesses(); // 4, and 3 in <init>; invokespecial here and there
    arrays(numbers, letters, objects); // 5: invokestatic
    arrays(numbers, letters, objects); // 5
    arrays(numbers, letters, objects); // 5
    self.fields(); // 2: invokevirtual
    self.fields(); // 2
    self.fields(); // 2
    self.fields(); // 2
    self.fields(); // 2
    floating(4.0); // 3: invokestatic; ldc2_w does not tell that it is of a double
    floating(4.0); // 3
    control(1); // 3: invokestatic, and 3 + 2 there
    control(2); // 3, and 3 + 2 + 2 there
    control(3); // 3, and 3 + 2 + 2
    control(4); // 3, and 3 + 2 + 2
  } // 1

  static int arrays(int[] numbers, char[] letters, Object[] objects) {
    numbers[0] = letters[0]; // 6: caload, iastore
    objects[0] = objects[1]; // 6: aaload, aastore
    return objects.length; // 3: arraylength
  }

  void fields() {
    link = this.link; // 4: getfield and putfield of a reference
    count = this.count; // 4: getfield and putfield of a primitive
    ratio = Accesses.ratio; // 2: getstatic and putstatic of a float
  } // 1

  static int floating(double value) {
    double half = value * 0.5; // 4: dload_0, dmul, dstore_2; not ldc2_w
    float narrow = (float) half; // 3: dload_2, d2f, fstore
    return (int) narrow; // 3: fload, f2i; not ireturn
  }

  static int control(int number) {
    if (number > 1) { // 3: if_icmple
      switch (number) { // 2: tableswitch or lookupswitch
        case 2:
          return 20; // 2
        case 3:
          return 30; // 2
        default:
          return 0; // 2
      }
    }
    return number; // 2
  }

  static int unused() {
    return 1; // 2, never executed
  }
}
