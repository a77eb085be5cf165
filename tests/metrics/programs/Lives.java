/**
 * Objects whose lifetimes are known. Time passes by arrays of one MiB, which nothing refers to; a
 * Box has 16 bytes.
 */
public final class Lives {
  static final int MIB = 1 << 20;

  static final class Box {
    int a;
  }

  static Box kept;

  public static void main(String[] args) {
    kept = make(); // alive when the VM ends
    Box box = make(); // lives 3 MiB, and dies where its variable is overwritten, one call above
    fill(3);
    box = null;
    fill(2);
  }

  static Box make() {
    return new Box();
  }

  /** Arrays that die at once. */
  static void fill(int n) {
    for (int i = 0; i < n; i++) {
      byte[] bytes = new byte[MIB - 16];
    }
  }
}
