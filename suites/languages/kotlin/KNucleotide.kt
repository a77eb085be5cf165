package knucleotide

import languages.Work

/** Counts the substrings of a random sequence of n bases: all short ones, and three long ones. */
private val LONG = listOf("GGT", "GGTA", "GGTATT")

private fun sequence(n: Int): String =
    generateSequence(42) { seed -> (seed * 3877 + 29_573) % 139_968 }
        .drop(1)
        .take(n)
        .map { seed -> "ACGT"[seed * 4 / 139_968] }
        .joinToString("")

private fun counts(sequence: String, length: Int): Map<String, Int> =
    sequence.windowedSequence(length).groupingBy { it }.eachCount()

private fun report(sequence: String): String {
    val all = (1..2).flatMap { length ->
        counts(sequence, length).entries
            .sortedWith(compareByDescending<Map.Entry<String, Int>> { it.value }.thenBy { it.key })
            .map { (substring, count) -> "$substring=$count" }
    }
    val some = LONG.map { "$it=${counts(sequence, it.length)[it] ?: 0}" }
    return (all + some).joinToString(" ")
}

fun main(args: Array<String>) = Work.run("knucleotide", args[0]) { n -> report(sequence(n)) }
