/** Five keys, of which three are asked, four objects without a hashCode, and an array of them. */
public final class Hashes {
  static class Key {
    @Override
    public int hashCode() {
      return 1;
    }
  }

  static final class Plain extends Key {
    @Override
    public int hashCode() {
      return super.hashCode() + 1; // another call of an overridden method, but the same object
    }
  }

  static final class Bare {}

  public static void main(String[] args) {
    Key[] keys = {new Key(), new Key(), new Key(), new Plain(), new Plain()};
    keys[0].hashCode();
    keys[0].hashCode();
    keys[1].hashCode();
    keys[3].hashCode();
    Bare[] bare = {new Bare(), new Bare(), new Bare(), new Bare()};
    bare[0].hashCode();
    bare.hashCode();
    System.identityHashCode(bare[0]);
    System.identityHashCode(bare[1]);
    System.identityHashCode(keys[4]);
    System.identityHashCode("a literal is not among the allocated"); // nor of this class's scope
  }
}
