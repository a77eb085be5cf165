import groovy.transform.Field
import groovy.transform.TupleConstructor
import languages.Work

// The outer planets for n steps of 0.01 days: energy before and after.
@TupleConstructor
class Vec {
    double x, y, z

    Vec plus(Vec v) { new Vec(x + v.x, y + v.y, z + v.z) }
    Vec minus(Vec v) { new Vec(x - v.x, y - v.y, z - v.z) }
    Vec multiply(double factor) { new Vec(x * factor, y * factor, z * factor) }
    double squared() { x * x + y * y + z * z }
}

class Body {
    static final double SOLAR_MASS = 4 * Math.PI * Math.PI
    static final double YEAR = 365.24d

    Vec position, velocity
    double mass

    /** Position in astronomical units, velocity in those a day, mass in suns. */
    Body(List<Double> position, List<Double> velocity, double mass) {
        this.position = position as Vec
        this.velocity = (velocity as Vec) * YEAR
        this.mass = mass * SOLAR_MASS
    }
}

@Field double step = 0.01d
@Field List planets = [
    [[0.0d, 0.0d, 0.0d], [0.0d, 0.0d, 0.0d], 1.0d],
    [[4.84143144246472090e+00d, -1.16032004402742839e+00d, -1.03622044471123109e-01d],
     [1.66007664274403694e-03d, 7.69901118419740425e-03d, -6.90460016972063023e-05d],
     9.54791938424326609e-04d],
    [[8.34336671824457987e+00d, 4.12479856412430479e+00d, -4.03523417114321381e-01d],
     [-2.76742510726411899e-03d, 4.99852801234917238e-03d, 2.30417297573763929e-05d],
     2.85885980666130812e-04d],
    [[1.28943695621391310e+01d, -1.51111514016986312e+01d, -2.23307578892655734e-01d],
     [2.96460137564761618e-03d, 2.37847173959480950e-03d, -2.96589568540237556e-05d],
     4.36624404335156298e-05d],
    [[1.53796971148509165e+01d, -2.59193146099879641e+01d, 1.79258772950371181e-01d],
     [2.68067772490389322e-03d, 1.62824170038242295e-03d, -9.51592254519715870e-05d],
     5.15138902046611451e-05d],
]

void advance(List<Body> bodies, List pairs) {
    pairs.each { Body one, Body other ->
        def distance = one.position - other.position
        double squared = distance.squared()
        double magnitude = step / (squared * Math.sqrt(squared))
        one.velocity += distance * (-other.mass * magnitude)
        other.velocity += distance * (one.mass * magnitude)
    }
    bodies.each { it.position += it.velocity * step }
}

double energy(List<Body> bodies, List pairs) {
    bodies.sum { 0.5d * it.mass * it.velocity.squared() } - pairs.sum { Body one, Body other ->
        one.mass * other.mass / Math.sqrt((one.position - other.position).squared())
    }
}

Work.run('nbody', args[0]) { int n ->
    def bodies = planets.collect { position, velocity, mass -> new Body(position, velocity, mass) }
    def momentum = bodies.inject(new Vec()) { sum, body -> sum + body.velocity * body.mass }
    bodies[0].velocity += momentum * (-1 / Body.SOLAR_MASS)
    def pairs = bodies.indices.collectMany { i -> bodies.drop(i + 1).collect { [bodies[i], it] } }
    double before = energy(bodies, pairs)
    n.times { advance(bodies, pairs) }
    String.format(Locale.ROOT, '%.9f %.9f', before, energy(bodies, pairs))
}
