import languages.Work

/** Counts the ways to place n queens on a board of n by n, row by row, by backtracking. */
object Queens:
  private def isSafe(column: Int, placed: List[Int]): Boolean =
    placed.zipWithIndex.forall { (other, i) =>
      other != column && (other - column).abs != i + 1
    }

  private def place(n: Int, placed: List[Int]): Int =
    if placed.size == n then 1
    else (0 until n).filter(isSafe(_, placed)).map(column => place(n, column :: placed)).sum

  def main(args: Array[String]): Unit =
    Work.run("queens", args(0), n => place(n, Nil).toString)
