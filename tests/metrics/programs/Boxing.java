/**
 * Boxed primitives, asked for and allocated. Everything is about {@code work} and what it calls: 11
 * calls of valueOf, and 17 calls of constructors for 6 objects: 5 are Numbers, and so have 3 each,
 * and a Character has 2. The caches are there before.
 */
public final class Boxing {
  static Object kept;

  public static void main(String[] args) {
    kept = Boolean.TRUE;
    kept = Byte.valueOf((byte) 0);
    kept = Character.valueOf('0');
    kept = Double.valueOf(0.0);
    kept = Float.valueOf(0.0f);
    kept = Integer.valueOf(0);
    kept = Long.valueOf(0L);
    kept = Short.valueOf((short) 0);
    kept = Boolean.valueOf(false);
    work();
    parse("7");
  }

  static void work() {
    kept = true; // cached, as every Boolean
    kept = (byte) 1; // cached, as every Byte
    kept = 'x'; // cached
    kept = 'ж'; // allocated, with 2 constructors: a Character is no Number
    kept = 1.0; // allocated, as every Double
    kept = 1.0; // allocated
    kept = 1.0f; // allocated, as every Float
    kept = 127; // cached
    kept = 128; // allocated
    kept = -128L; // cached
    kept = (short) 1000; // allocated
  }

  static void parse(String text) {
    kept = Integer.valueOf(text); // not itself; the library asks for the Integer there
  }
}
