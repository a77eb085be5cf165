import languages.Work;

/** Which points of an n by n raster stay bounded for 50 steps: their number and a checksum. */
final class Mandelbrot {
  private static boolean isBounded(double x, double y) {
    double re = 0;
    double im = 0;
    for (int step = 0; step < 50; step++) {
      double next = re * re - im * im + x;
      im = 2 * re * im + y;
      re = next;
      if (re * re + im * im > 4) {
        return false;
      }
    }
    return true;
  }

  private static String raster(int n) {
    int bounded = 0;
    int checksum = 1;
    for (int row = 0; row < n; row++) {
      for (int column = 0; column < n; column++) {
        int bit = isBounded(2.0 * column / n - 1.5, 2.0 * row / n - 1) ? 1 : 0;
        bounded += bit;
        checksum = (checksum * 31 + bit) % 65_521;
      }
    }
    return bounded + " " + checksum;
  }

  public static void main(String[] args) {
    Work.run("mandelbrot", args[0], Mandelbrot::raster);
  }
}
