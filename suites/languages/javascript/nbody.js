// The outer planets for n steps of 0.01 days: energy before and after.
const SOLAR_MASS = 4 * Math.PI * Math.PI;
const YEAR = 365.24;
const STEP = 0.01;

// Position in astronomical units, velocity in those a day, mass in suns.
function Body(x, y, z, vx, vy, vz, mass) {
  this.x = x;
  this.y = y;
  this.z = z;
  this.vx = vx * YEAR;
  this.vy = vy * YEAR;
  this.vz = vz * YEAR;
  this.mass = mass * SOLAR_MASS;
}

Body.prototype.push = function (dx, dy, dz, magnitude) {
  this.vx += dx * magnitude;
  this.vy += dy * magnitude;
  this.vz += dz * magnitude;
};

Body.prototype.move = function () {
  this.x += STEP * this.vx;
  this.y += STEP * this.vy;
  this.z += STEP * this.vz;
};

function planets() {
  return [
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
      5.15138902046611451e-05)
  ];
}

function NBody(bodies) {
  let px = 0, py = 0, pz = 0;
  bodies.forEach(function (body) {
    px += body.vx * body.mass;
    py += body.vy * body.mass;
    pz += body.vz * body.mass;
  });
  bodies[0].push(px, py, pz, -1 / SOLAR_MASS);
  this.bodies = bodies;
}

// Calls visit with each pair and the components of its distance.
NBody.prototype.pairs = function (visit) {
  const bodies = this.bodies;
  bodies.forEach(function (one, i) {
    for (let j = i + 1; j < bodies.length; j++) {
      let other = bodies[j];
      visit(one, other, one.x - other.x, one.y - other.y, one.z - other.z);
    }
  });
};

NBody.prototype.advance = function () {
  this.pairs(function (one, other, dx, dy, dz) {
    const squared = dx * dx + dy * dy + dz * dz;
    const magnitude = STEP / (squared * Math.sqrt(squared));
    one.push(dx, dy, dz, -other.mass * magnitude);
    other.push(dx, dy, dz, one.mass * magnitude);
  });
  this.bodies.forEach(body => body.move());
};

NBody.prototype.energy = function () {
  let energy = 0;
  this.bodies.forEach(function (body) {
    const speed = body.vx * body.vx + body.vy * body.vy + body.vz * body.vz;
    energy += 0.5 * body.mass * speed;
  });
  this.pairs(function (one, other, dx, dy, dz) {
    energy -= one.mass * other.mass / Math.sqrt(dx * dx + dy * dy + dz * dz);
  });
  return energy;
};

Packages.languages.Work.run('nbody', arguments[0], function (n) {
  const system = new NBody(planets());
  const before = system.energy();
  for (let i = 0; i < n; i++) {
    system.advance();
  }
  return before.toFixed(9) + ' ' + system.energy().toFixed(9);
});
