import languages.Work

/** Searches a random sequence of n bases for patterns, and replaces some of them. */
object Regex:
  private val patterns =
    List("gg[at]c", "a(?:c|g)+t", "tt.{2}gg", "(?:aca|tgt)[^c]*c", "[cg]{4,6}", "c+a*t|g$").map(_.r)

  private def sequence(n: Int): String =
    Iterator.iterate(42)(seed => (seed * 3877 + 29_573) % 139_968)
      .slice(1, n + 1)
      .map(seed => "acgt"(seed * 4 / 139_968))
      .mkString

  private def search(sequence: String): String =
    val counts = patterns.map(_.findAllMatchIn(sequence).size)
    val shorter = "t[ac]+g".r.replaceAllIn(sequence, "<>")
    val replaced = "([ag])<>".r.replaceAllIn(shorter, m => s"${m.group(1)}|${m.group(1)}")
    s"${counts.mkString(" ")} ${replaced.length}"

  def main(args: Array[String]): Unit =
    Work.run("regex", args(0), n => search(sequence(n)))
