package queens

import languages.Work
import kotlin.math.abs

/** Counts the ways to place n queens on a board of n by n, row by row, by backtracking. */
private fun place(n: Int, placed: List<Int>): Int =
    if (placed.size == n) 1
    else (0 until n).filter { isSafe(it, placed) }.sumOf { place(n, placed + it) }

private fun isSafe(column: Int, placed: List<Int>): Boolean =
    placed.asReversed().withIndex().none { (i, other) ->
        other == column || abs(other - column) == i + 1
    }

fun main(args: Array<String>) = Work.run("queens", args[0]) { n -> "${place(n, emptyList())}" }
