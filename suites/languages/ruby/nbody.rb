# The outer planets for n steps of 0.01 days: energy before and after.
java_import 'languages.Work'

SOLAR_MASS = 4 * Math::PI * Math::PI
YEAR = 365.24
STEP = 0.01

class Body
  attr_reader :x, :y, :z, :vx, :vy, :vz, :mass

  # Position in astronomical units, velocity in those a day, mass in suns.
  def initialize(position, velocity, mass)
    @x, @y, @z = position
    @vx, @vy, @vz = velocity.map { |component| component * YEAR }
    @mass = mass * SOLAR_MASS
  end

  def push(dx, dy, dz, magnitude)
    @vx += dx * magnitude
    @vy += dy * magnitude
    @vz += dz * magnitude
  end

  def move
    @x += STEP * @vx
    @y += STEP * @vy
    @z += STEP * @vz
  end

  def attract(other)
    dx = x - other.x
    dy = y - other.y
    dz = z - other.z
    squared = dx * dx + dy * dy + dz * dz
    magnitude = STEP / (squared * Math.sqrt(squared))
    push(dx, dy, dz, -other.mass * magnitude)
    other.push(dx, dy, dz, mass * magnitude)
  end

  def distance(other)
    Math.sqrt((x - other.x)**2 + (y - other.y)**2 + (z - other.z)**2)
  end

  def kinetic
    0.5 * mass * (vx * vx + vy * vy + vz * vz)
  end
end

PLANETS = [
  [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 1.0],
  [[4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01],
   [1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05],
   9.54791938424326609e-04],
  [[8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01],
   [-2.76742510726411899e-03, 4.99852801234917238e-03, 2.30417297573763929e-05],
   2.85885980666130812e-04],
  [[1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01],
   [2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05],
   4.36624404335156298e-05],
  [[1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01],
   [2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05],
   5.15138902046611451e-05]
].freeze

class NBody
  def initialize
    @bodies = PLANETS.map { |planet| Body.new(*planet) }
    momentum = %i[vx vy vz].map { |v| @bodies.sum { |body| body.send(v) * body.mass } }
    @bodies.first.push(*momentum, -1 / SOLAR_MASS)
  end

  def advance
    @bodies.combination(2) { |one, other| one.attract(other) }
    @bodies.each(&:move)
  end

  def energy
    pairs = @bodies.combination(2)
    @bodies.sum(&:kinetic) - pairs.sum { |one, other| one.mass * other.mass / one.distance(other) }
  end
end

Work.run('nbody', ARGV[0]) do |n|
  system = NBody.new
  before = system.energy
  n.times { system.advance }
  format('%.9f %.9f', before, system.energy)
end
