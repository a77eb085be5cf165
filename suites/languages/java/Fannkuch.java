import languages.Work;

/** Flips pancakes: over all permutations of n, the most flips, and a checksum of their numbers. */
final class Fannkuch {
  private int checksum;
  private int most;
  private int index;

  /** Permutes the first {@code k} by rotation, each arrangement once. */
  private void permute(int[] permutation, int k) {
    if (k == 1) {
      visit(permutation);
      return;
    }
    for (int i = 0; i < k; i++) {
      permute(permutation, k - 1);
      rotate(permutation, k);
    }
  }

  private static void rotate(int[] permutation, int k) {
    int first = permutation[0];
    System.arraycopy(permutation, 1, permutation, 0, k - 1);
    permutation[k - 1] = first;
  }

  private void visit(int[] permutation) {
    int flips = flips(permutation.clone());
    most = Math.max(most, flips);
    checksum += index % 2 == 0 ? flips : -flips;
    index++;
  }

  private static int flips(int[] pancakes) {
    int flips = 0;
    while (pancakes[0] != 0) {
      for (int low = 0, high = pancakes[0]; low < high; low++, high--) {
        int kept = pancakes[low];
        pancakes[low] = pancakes[high];
        pancakes[high] = kept;
      }
      flips++;
    }
    return flips;
  }

  public static void main(String[] args) {
    Work.run("fannkuch", args[0], n -> {
      int[] permutation = new int[n];
      for (int i = 0; i < n; i++) {
        permutation[i] = i;
      }
      Fannkuch fannkuch = new Fannkuch();
      fannkuch.permute(permutation, n);
      return fannkuch.checksum + " " + fannkuch.most;
    });
  }
}
