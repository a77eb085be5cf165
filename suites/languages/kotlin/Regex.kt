package regex

import languages.Work

/** Searches a random sequence of n bases for patterns, and replaces some of them. */
private val PATTERNS =
    listOf("gg[at]c", "a(?:c|g)+t", "tt.{2}gg", "(?:aca|tgt)[^c]*c", "[cg]{4,6}", "c+a*t|g$")
        .map { it.toRegex() }

private fun sequence(n: Int): String =
    generateSequence(42) { seed -> (seed * 3877 + 29_573) % 139_968 }
        .drop(1)
        .take(n)
        .map { seed -> "acgt"[seed * 4 / 139_968] }
        .joinToString("")

private fun search(sequence: String): String {
    val counts = PATTERNS.map { it.findAll(sequence).count() }
    val replaced = sequence
        .replace("t[ac]+g".toRegex(), "<>")
        .replace("([ag])<>".toRegex()) { "${it.groupValues[1]}|${it.groupValues[1]}" }
    return "${counts.joinToString(" ")} ${replaced.length}"
}

fun main(args: Array<String>) = Work.run("regex", args[0]) { n -> search(sequence(n)) }
