import java.util.Locale
import languages.Work

/** The spectral norm of the infinite matrix 1, 1/2, 1/3, … cut to n by n, by power iteration. */
object SpectralNorm:
  private type Vec = Array[Double]

  private def a(i: Int, j: Int): Double = 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1)

  private def times(element: (Int, Int) => Double)(v: Vec): Vec =
    Array.tabulate(v.length)(i => v.indices.foldLeft(0.0)((sum, j) => sum + element(i, j) * v(j)))

  private val power: Vec => Vec = times(a).andThen(times((i, j) => a(j, i)))

  private def dot(u: Vec, v: Vec): Double = u.lazyZip(v).map(_ * _).sum

  private def norm(n: Int): Double =
    val v = Iterator.iterate(Array.fill(n)(1.0))(power).drop(19).next()
    math.sqrt(dot(power(v), v) / dot(v, v))

  def main(args: Array[String]): Unit =
    Work.run("spectralnorm", args(0), n => "%.9f".formatLocal(Locale.ROOT, norm(n)))
