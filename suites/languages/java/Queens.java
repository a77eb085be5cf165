import languages.Work;

/** Counts the ways to place n queens on a board of n by n, row by row, by backtracking. */
final class Queens {
  private final int[] columns;

  private Queens(int n) {
    columns = new int[n];
  }

  private int place(int row) {
    if (row == columns.length) {
      return 1;
    }
    int solutions = 0;
    for (int column = 0; column < columns.length; column++) {
      if (isSafe(row, column)) {
        columns[row] = column;
        solutions += place(row + 1);
      }
    }
    return solutions;
  }

  private boolean isSafe(int row, int column) {
    for (int distance = 1; distance <= row; distance++) {
      int other = columns[row - distance];
      if (other == column || Math.abs(other - column) == distance) {
        return false;
      }
    }
    return true;
  }

  public static void main(String[] args) {
    Work.run("queens", args[0], n -> Integer.toString(new Queens(n).place(0)));
  }
}
