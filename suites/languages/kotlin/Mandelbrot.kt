package mandelbrot

import languages.Work

/** Which points of an n by n raster stay bounded for 50 steps: their number and a checksum. */
private data class Complex(val re: Double, val im: Double) {
    operator fun plus(other: Complex) = Complex(re + other.re, im + other.im)
    fun squared() = Complex(re * re - im * im, 2 * re * im)
    fun norm() = re * re + im * im
}

private fun isBounded(c: Complex): Boolean {
    var z = Complex(0.0, 0.0)
    repeat(50) {
        z = z.squared() + c
        if (z.norm() > 4) return false
    }
    return true
}

private fun raster(n: Int): String {
    val bits = (0 until n).flatMap { row ->
        (0 until n).map { column ->
            if (isBounded(Complex(2.0 * column / n - 1.5, 2.0 * row / n - 1))) 1 else 0
        }
    }
    return "${bits.sum()} ${bits.fold(1) { checksum, bit -> (checksum * 31 + bit) % 65_521 }}"
}

fun main(args: Array<String>) = Work.run("mandelbrot", args[0], ::raster)
