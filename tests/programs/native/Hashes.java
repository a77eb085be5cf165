/** Has a native hashCode and clone of its own; the first argument is their library. */
public class Hashes implements Cloneable {
  @Override
  public native int hashCode();

  @Override
  public native Object clone();

  static int hash(Object object) {
    return object.hashCode();
  }

  static Object copy(Hashes object) {
    return object.clone();
  }

  public static void main(String[] args) {
    System.load(args[0]);
    Hashes own = new Hashes();
    Object plain = new Object();
    for (int k = 0; k < 3; k++) {
      if (hash(own) != 42 || copy(own) != own) {
        throw new AssertionError();
      }
    }
    hash(plain);
  }
}
