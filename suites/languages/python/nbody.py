"""The outer planets for n steps of 0.01 days: energy before and after."""

import itertools
import math
import sys

from languages import Work

SOLAR_MASS = 4 * math.pi * math.pi
YEAR = 365.24
STEP = 0.01


class Body(object):
    def __init__(self, position, velocity, mass):
        """Position in astronomical units, velocity in those a day, mass in suns."""
        self.x, self.y, self.z = position
        self.vx, self.vy, self.vz = [component * YEAR for component in velocity]
        self.mass = mass * SOLAR_MASS

    def push(self, dx, dy, dz, magnitude):
        self.vx += dx * magnitude
        self.vy += dy * magnitude
        self.vz += dz * magnitude

    def move(self):
        self.x += STEP * self.vx
        self.y += STEP * self.vy
        self.z += STEP * self.vz

    def difference(self, other):
        return self.x - other.x, self.y - other.y, self.z - other.z

    def kinetic(self):
        return 0.5 * self.mass * (self.vx * self.vx + self.vy * self.vy + self.vz * self.vz)


PLANETS = [
    ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0),
    (
        (4.84143144246472090e00, -1.16032004402742839e00, -1.03622044471123109e-01),
        (1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05),
        9.54791938424326609e-04,
    ),
    (
        (8.34336671824457987e00, 4.12479856412430479e00, -4.03523417114321381e-01),
        (-2.76742510726411899e-03, 4.99852801234917238e-03, 2.30417297573763929e-05),
        2.85885980666130812e-04,
    ),
    (
        (1.28943695621391310e01, -1.51111514016986312e01, -2.23307578892655734e-01),
        (2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05),
        4.36624404335156298e-05,
    ),
    (
        (1.53796971148509165e01, -2.59193146099879641e01, 1.79258772950371181e-01),
        (2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05),
        5.15138902046611451e-05,
    ),
]


def at_rest(bodies):
    momentum = [
        sum(getattr(body, component) * body.mass for body in bodies)
        for component in ("vx", "vy", "vz")
    ]
    bodies[0].push(*(momentum + [-1 / SOLAR_MASS]))
    return bodies


def advance(bodies, pairs):
    for one, other in pairs:
        dx, dy, dz = one.difference(other)
        squared = dx * dx + dy * dy + dz * dz
        magnitude = STEP / (squared * math.sqrt(squared))
        one.push(dx, dy, dz, -other.mass * magnitude)
        other.push(dx, dy, dz, one.mass * magnitude)
    for body in bodies:
        body.move()


def energy(bodies, pairs):
    potential = sum(
        one.mass * other.mass / math.sqrt(sum(d * d for d in one.difference(other)))
        for one, other in pairs
    )
    return sum(body.kinetic() for body in bodies) - potential


def simulate(n):
    bodies = at_rest([Body(*planet) for planet in PLANETS])
    pairs = list(itertools.combinations(bodies, 2))
    before = energy(bodies, pairs)
    for _ in range(n):
        advance(bodies, pairs)
    return "%.9f %.9f" % (before, energy(bodies, pairs))


Work.run("nbody", sys.argv[1], simulate)
