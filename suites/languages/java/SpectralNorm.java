import java.util.Arrays;
import java.util.Locale;
import languages.Work;

/** The spectral norm of the infinite matrix 1, 1/2, 1/3, … cut to n by n, by power iteration. */
final class SpectralNorm {
  private static double a(int i, int j) {
    return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1);
  }

  private static double[] times(double[] v) {
    double[] result = new double[v.length];
    for (int i = 0; i < v.length; i++) {
      double sum = 0;
      for (int j = 0; j < v.length; j++) {
        sum += a(i, j) * v[j];
      }
      result[i] = sum;
    }
    return result;
  }

  private static double[] transposedTimes(double[] v) {
    double[] result = new double[v.length];
    for (int i = 0; i < v.length; i++) {
      double sum = 0;
      for (int j = 0; j < v.length; j++) {
        sum += a(j, i) * v[j];
      }
      result[i] = sum;
    }
    return result;
  }

  private static double norm(int n) {
    double[] u = new double[n];
    double[] v = u;
    Arrays.fill(u, 1);
    for (int i = 0; i < 10; i++) {
      v = transposedTimes(times(u));
      u = transposedTimes(times(v));
    }
    double uv = 0;
    double vv = 0;
    for (int i = 0; i < n; i++) {
      uv += u[i] * v[i];
      vv += v[i] * v[i];
    }
    return Math.sqrt(uv / vv);
  }

  public static void main(String[] args) {
    Work.run("spectralnorm", args[0], n -> String.format(Locale.ROOT, "%.9f", norm(n)));
  }
}
