package spectralnorm

import java.util.Locale
import kotlin.math.sqrt
import languages.Work

/** An element of the infinite matrix 1, 1/2, 1/3, … whose norm, cut to n by n, is wanted. */
private fun a(i: Int, j: Int): Double = 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1)

private inline fun times(v: DoubleArray, element: (Int, Int) -> Double) =
    DoubleArray(v.size) { i ->
        var sum = 0.0
        for (j in v.indices) sum += element(i, j) * v[j]
        sum
    }

private fun power(v: DoubleArray) = times(times(v) { i, j -> a(i, j) }) { i, j -> a(j, i) }

private infix fun DoubleArray.dot(other: DoubleArray) = zip(other) { x, y -> x * y }.sum()

private fun norm(n: Int): Double {
    val (v, u) = generateSequence(DoubleArray(n) { 1.0 }, ::power).drop(19).take(2).toList()
    return sqrt((u dot v) / (v dot v))
}

fun main(args: Array<String>) =
    Work.run("spectralnorm", args[0]) { n -> "%.9f".format(Locale.ROOT, norm(n)) }
