import languages.Work

/** Counts the substrings of a random sequence of n bases: all short ones, and three long ones. */
object KNucleotide:
  private val long = List("GGT", "GGTA", "GGTATT")

  private def sequence(n: Int): String =
    Iterator.iterate(42)(seed => (seed * 3877 + 29_573) % 139_968)
      .slice(1, n + 1)
      .map(seed => "ACGT"(seed * 4 / 139_968))
      .mkString

  private def counts(sequence: String, length: Int): Map[String, Int] =
    sequence.sliding(length).toSeq.groupMapReduce(identity)(_ => 1)(_ + _)

  private def report(sequence: String): String =
    val all = for
      length <- 1 to 2
      (substring, count) <- counts(sequence, length).toSeq.sortBy((s, count) => (-count, s))
    yield s"$substring=$count"
    val some = long.map(s => s"$s=${counts(sequence, s.length).getOrElse(s, 0)}")
    (all ++ some).mkString(" ")

  def main(args: Array[String]): Unit =
    Work.run("knucleotide", args(0), n => report(sequence(n)))
