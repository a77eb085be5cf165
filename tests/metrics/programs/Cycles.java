/**
 * Calls whose cycles on JOP (r = 1) are worked out by hand. Beside each method: its size, words
 * of 32 bits, and l = 6 + 2 * (words + 1), the cycles to load it.
 *
 * <p>With a method cache of four blocks of 16 bytes, of which work takes two and large five, the
 * others one: main, work and small are missed when they are called first: [main work work small];
 * large is missed and leaves the cache empty; its return misses work: [work work]; down is missed
 * once: [work work down]; and the return of work misses main.
 */
final class Cycles {
  public static void main(String[] args) { // 4 bytes, 1 word, l = 10
    work();
  }

  // expect: 20 bytes, 5 words, l = 18; an ireturn into it costs 8 more, a return 9 more
  static void work() {
    int n = small(0); // iconst_0 invokestatic istore_0
    n = small(n); // iload_0 invokestatic istore_0
    large(n); // iload_0 invokestatic pop
    down(2); // iconst_2 invokestatic
  }

  // expect: 4 bytes, 1 word, l = 10, hidden by the invoke; called 2 times
  static int small(int n) {
    return n + 1; // iload_0 iconst_1 iadd ireturn
  }

  // expect: 62 bytes, 16 words, l = 40: an invoke costs 40 - 37 = 3 more; called once
  static int large(int n) {
    n += 100; // iinc, 20 times
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    n += 100;
    return n; // iload_0 ireturn
  }

  // expect: 11 bytes, 3 words, l = 14: a return into it costs 5 more; executed 3 times
  static void down(int n) {
    if (n > 0) { // iload_0 ifle
      down(n - 1); // iload_0 iconst_1 isub invokestatic
    } // return
  }
}
