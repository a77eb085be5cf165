package fannkuch

import languages.Work

/** Flips pancakes: over all permutations of n, the most flips, and a checksum of their numbers. */
private class Fannkuch(n: Int) {
    private val permutation = IntArray(n) { it }
    private var index = 0
    var checksum = 0
        private set
    var most = 0
        private set

    /** Permutes the first [k] by rotation, each arrangement once. */
    fun permute(k: Int = permutation.size) {
        if (k == 1) return visit()
        repeat(k) {
            permute(k - 1)
            rotate(k)
        }
    }

    private fun rotate(k: Int) {
        val first = permutation[0]
        permutation.copyInto(permutation, 0, 1, k)
        permutation[k - 1] = first
    }

    private fun visit() {
        val flips = flips(permutation.copyOf())
        most = maxOf(most, flips)
        checksum += if (index++ % 2 == 0) flips else -flips
    }

    private fun flips(pancakes: IntArray): Int {
        var flips = 0
        while (pancakes[0] != 0) {
            pancakes.reverse(0, pancakes[0] + 1)
            flips++
        }
        return flips
    }
}

fun main(args: Array<String>) = Work.run("fannkuch", args[0]) { n ->
    with(Fannkuch(n)) {
        permute()
        "$checksum $most"
    }
}
