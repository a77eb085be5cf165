/** Keeps many objects that no frame refers to any more when the next one is allocated. */
final class Kept {
  private static final int COUNT = 300_000;

  static final class Entry {}

  static final class Gone {}

  private Kept() {}

  private static void keep(Entry[] entries, int index) {
    entries[index] = new Entry();
  }

  private static void drop() {
    new Gone();
  }

  public static void main(String[] args) {
    Entry[] entries = new Entry[COUNT];
    for (int k = 0; k < COUNT; k++) {
      keep(entries, k);
      drop();
    }
    System.out.println(entries.length);
  }
}
