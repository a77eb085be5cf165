import scala.annotation.tailrec
import languages.Work

/** Flips pancakes: over all permutations of n, the most flips, and a checksum of their numbers. */
object Fannkuch:
  /** The arrangements of the first k by rotation, each once, with what they leave behind. */
  private def permutations(start: Vector[Int], k: Int): Iterator[Vector[Int]] =
    if k == 1 then Iterator.single(start)
    else Iterator.iterate(start)(rotate(_, k)).take(k).flatMap(permutations(_, k - 1))

  private def rotate(permutation: Vector[Int], k: Int): Vector[Int] =
    val (front, back) = permutation.splitAt(k)
    (front.tail :+ front.head) ++ back

  @tailrec
  private def flips(pancakes: Vector[Int], done: Int = 0): Int = pancakes.head match
    case 0 => done
    case top =>
      val (flipped, rest) = pancakes.splitAt(top + 1)
      flips(flipped.reverse ++ rest, done + 1)

  private def fannkuch(n: Int): String =
    val (checksum, most, _) =
      permutations(Vector.range(0, n), n).map(flips(_)).foldLeft((0, 0, 1)) {
        case ((checksum, most, sign), flips) =>
          (checksum + sign * flips, most.max(flips), -sign)
      }
    s"$checksum $most"

  def main(args: Array[String]): Unit = Work.run("fannkuch", args(0), fannkuch)
