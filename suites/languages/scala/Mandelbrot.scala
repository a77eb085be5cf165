import scala.annotation.tailrec
import languages.Work

/** Which points of an n by n raster stay bounded for 50 steps: their number and a checksum. */
object Mandelbrot:
  private final case class Complex(re: Double, im: Double):
    def +(other: Complex): Complex = Complex(re + other.re, im + other.im)
    def squared: Complex = Complex(re * re - im * im, 2 * re * im)
    def norm: Double = re * re + im * im

  @tailrec
  private def isBounded(c: Complex, z: Complex = Complex(0, 0), steps: Int = 50): Boolean =
    steps == 0 || {
      val next = z.squared + c
      next.norm <= 4 && isBounded(c, next, steps - 1)
    }

  private def raster(n: Int): String =
    val bits = for
      row <- 0 until n
      column <- 0 until n
    yield if isBounded(Complex(2.0 * column / n - 1.5, 2.0 * row / n - 1)) then 1 else 0
    s"${bits.sum} ${bits.foldLeft(1)((checksum, bit) => (checksum * 31 + bit) % 65_521)}"

  def main(args: Array[String]): Unit = Work.run("mandelbrot", args(0), raster)
