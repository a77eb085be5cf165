import java.util.List;
import java.util.Locale;
import languages.Work;

/** The outer planets for n steps of 0.01 days: energy before and after. */
final class NBody {
  private static final double SOLAR_MASS = 4 * Math.PI * Math.PI;
  private static final double YEAR = 365.24;
  private static final double STEP = 0.01;

  private static final class Body {
    private double x;
    private double y;
    private double z;
    private double vx;
    private double vy;
    private double vz;
    private final double mass;

    /** Position in astronomical units, velocity in those a day, mass in suns. */
    Body(double x, double y, double z, double vx, double vy, double vz, double mass) {
      this.x = x;
      this.y = y;
      this.z = z;
      this.vx = vx * YEAR;
      this.vy = vy * YEAR;
      this.vz = vz * YEAR;
      this.mass = mass * SOLAR_MASS;
    }

    void push(double dx, double dy, double dz, double magnitude) {
      vx += dx * magnitude;
      vy += dy * magnitude;
      vz += dz * magnitude;
    }

    void move() {
      x += STEP * vx;
      y += STEP * vy;
      z += STEP * vz;
    }
  }

  private final List<Body> bodies =
      List.of(
          new Body(0, 0, 0, 0, 0, 0, 1),
          new Body(
              4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01,
              1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05,
              9.54791938424326609e-04),
          new Body(
              8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01,
              -2.76742510726411899e-03, 4.99852801234917238e-03, 2.30417297573763929e-05,
              2.85885980666130812e-04),
          new Body(
              1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01,
              2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05,
              4.36624404335156298e-05),
          new Body(
              1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01,
              2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05,
              5.15138902046611451e-05));

  private NBody() {
    double px = 0;
    double py = 0;
    double pz = 0;
    for (Body body : bodies) {
      px += body.vx * body.mass;
      py += body.vy * body.mass;
      pz += body.vz * body.mass;
    }
    bodies.get(0).push(px, py, pz, -1 / SOLAR_MASS);
  }

  private void advance() {
    for (int i = 0; i < bodies.size(); i++) {
      Body one = bodies.get(i);
      for (int j = i + 1; j < bodies.size(); j++) {
        Body other = bodies.get(j);
        double dx = one.x - other.x;
        double dy = one.y - other.y;
        double dz = one.z - other.z;
        double squared = dx * dx + dy * dy + dz * dz;
        double magnitude = STEP / (squared * Math.sqrt(squared));
        one.push(dx, dy, dz, -other.mass * magnitude);
        other.push(dx, dy, dz, one.mass * magnitude);
      }
    }
    bodies.forEach(Body::move);
  }

  private double energy() {
    double energy = 0;
    for (int i = 0; i < bodies.size(); i++) {
      Body one = bodies.get(i);
      double speed = one.vx * one.vx + one.vy * one.vy + one.vz * one.vz;
      energy += 0.5 * one.mass * speed;
      for (int j = i + 1; j < bodies.size(); j++) {
        Body other = bodies.get(j);
        double dx = one.x - other.x;
        double dy = one.y - other.y;
        double dz = one.z - other.z;
        energy -= one.mass * other.mass / Math.sqrt(dx * dx + dy * dy + dz * dz);
      }
    }
    return energy;
  }

  public static void main(String[] args) {
    Work.run("nbody", args[0], n -> {
      NBody system = new NBody();
      double before = system.energy();
      for (int i = 0; i < n; i++) {
        system.advance();
      }
      return String.format(Locale.ROOT, "%.9f %.9f", before, system.energy());
    });
  }
}
