package nbody

import java.util.Locale
import kotlin.math.PI
import kotlin.math.sqrt
import languages.Work

private const val SOLAR_MASS = 4 * PI * PI
private const val YEAR = 365.24
private const val STEP = 0.01

private data class Vec(val x: Double, val y: Double, val z: Double) {
    operator fun plus(v: Vec) = Vec(x + v.x, y + v.y, z + v.z)
    operator fun minus(v: Vec) = Vec(x - v.x, y - v.y, z - v.z)
    operator fun times(factor: Double) = Vec(x * factor, y * factor, z * factor)
    fun squared() = x * x + y * y + z * z
}

/** [position] in astronomical units, [perDay] a velocity in those a day, [suns] a mass. */
private class Body(var position: Vec, perDay: Vec, suns: Double) {
    var velocity = perDay * YEAR
    val mass = suns * SOLAR_MASS
}

private fun planets() = listOf(
    Body(Vec(0.0, 0.0, 0.0), Vec(0.0, 0.0, 0.0), 1.0),
    Body(
        Vec(4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01),
        Vec(1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05),
        9.54791938424326609e-04,
    ),
    Body(
        Vec(8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01),
        Vec(-2.76742510726411899e-03, 4.99852801234917238e-03, 2.30417297573763929e-05),
        2.85885980666130812e-04,
    ),
    Body(
        Vec(1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01),
        Vec(2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05),
        4.36624404335156298e-05,
    ),
    Body(
        Vec(1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01),
        Vec(2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05),
        5.15138902046611451e-05,
    ),
)

/** The outer planets, moved in steps of 0.01 days. */
private class NBody(private val bodies: List<Body>) {
    private val pairs = bodies.flatMapIndexed { i, one -> bodies.drop(i + 1).map { one to it } }

    init {
        val momentum = bodies.fold(Vec(0.0, 0.0, 0.0)) { sum, b -> sum + b.velocity * b.mass }
        bodies.first().velocity += momentum * (-1 / SOLAR_MASS)
    }

    fun advance() {
        for ((one, other) in pairs) {
            val distance = one.position - other.position
            val squared = distance.squared()
            val magnitude = STEP / (squared * sqrt(squared))
            one.velocity += distance * (-other.mass * magnitude)
            other.velocity += distance * (one.mass * magnitude)
        }
        bodies.forEach { it.position += it.velocity * STEP }
    }

    fun energy(): Double =
        bodies.sumOf { 0.5 * it.mass * it.velocity.squared() } -
            pairs.sumOf { (one, other) ->
                one.mass * other.mass / sqrt((one.position - other.position).squared())
            }
}

fun main(args: Array<String>) = Work.run("nbody", args[0]) { n ->
    with(NBody(planets())) {
        val before = energy()
        repeat(n) { advance() }
        "%.9f %.9f".format(Locale.ROOT, before, energy())
    }
}
