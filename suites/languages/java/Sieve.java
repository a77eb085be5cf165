import languages.Work;

/** The primes up to n by the sieve of Eratosthenes: how many, and the largest. */
final class Sieve {
  private static String primes(int n) {
    boolean[] composite = new boolean[n + 1];
    int count = 0;
    int largest = 0;
    for (int i = 2; i <= n; i++) {
      if (!composite[i]) {
        count++;
        largest = i;
        for (int multiple = 2 * i; multiple <= n; multiple += i) {
          composite[multiple] = true;
        }
      }
    }
    return count + " " + largest;
  }

  public static void main(String[] args) {
    Work.run("sieve", args[0], Sieve::primes);
  }
}
