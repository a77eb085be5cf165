import java.util.Locale
import languages.Work

/** The outer planets for n steps of 0.01 days: energy before and after. */
object NBody:
  private val solarMass = 4 * math.Pi * math.Pi
  private val year = 365.24
  private val step = 0.01

  private final case class Vec(x: Double, y: Double, z: Double):
    def +(v: Vec): Vec = Vec(x + v.x, y + v.y, z + v.z)
    def -(v: Vec): Vec = Vec(x - v.x, y - v.y, z - v.z)
    def *(factor: Double): Vec = Vec(x * factor, y * factor, z * factor)
    def squared: Double = x * x + y * y + z * z

  private final class Body(var position: Vec, var velocity: Vec, val mass: Double)

  /** Position in astronomical units, velocity in those a day, mass in suns. */
  private def body(position: Vec, velocity: Vec, mass: Double): Body =
    Body(position, velocity * year, mass * solarMass)

  private def planets: Vector[Body] = Vector(
    body(Vec(0, 0, 0), Vec(0, 0, 0), 1),
    body(
      Vec(4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01),
      Vec(1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05),
      9.54791938424326609e-04),
    body(
      Vec(8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01),
      Vec(-2.76742510726411899e-03, 4.99852801234917238e-03, 2.30417297573763929e-05),
      2.85885980666130812e-04),
    body(
      Vec(1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01),
      Vec(2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05),
      4.36624404335156298e-05),
    body(
      Vec(1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01),
      Vec(2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05),
      5.15138902046611451e-05))

  private def atRest(bodies: Vector[Body]): Vector[Body] =
    val momentum = bodies.foldLeft(Vec(0, 0, 0))((sum, b) => sum + b.velocity * b.mass)
    bodies.head.velocity += momentum * (-1 / solarMass)
    bodies

  private def pairs(bodies: Vector[Body]): Vector[(Body, Body)] =
    bodies.combinations(2).map(pair => (pair(0), pair(1))).toVector

  private def advance(bodies: Vector[Body], pairs: Vector[(Body, Body)]): Unit =
    for (one, other) <- pairs do
      val distance = one.position - other.position
      val magnitude = step / (distance.squared * math.sqrt(distance.squared))
      one.velocity += distance * (-other.mass * magnitude)
      other.velocity += distance * (one.mass * magnitude)
    for body <- bodies do body.position += body.velocity * step

  private def energy(bodies: Vector[Body], pairs: Vector[(Body, Body)]): Double =
    val kinetic = bodies.map(b => 0.5 * b.mass * b.velocity.squared).sum
    val potential = pairs.map { (one, other) =>
      one.mass * other.mass / math.sqrt((one.position - other.position).squared)
    }.sum
    kinetic - potential

  private def simulate(n: Int): String =
    val bodies = atRest(planets)
    val both = pairs(bodies)
    val before = energy(bodies, both)
    for _ <- 1 to n do advance(bodies, both)
    "%.9f %.9f".formatLocal(Locale.ROOT, before, energy(bodies, both))

  def main(args: Array[String]): Unit = Work.run("nbody", args(0), simulate)
