// The spectral norm of the infinite matrix 1, 1/2, 1/3, … cut to n by n, by power iteration.
function a(i, j) {
  return 1 / ((i + j) * (i + j + 1) / 2 + i + 1);
}

function dot(u, v) {
  return u.reduce((sum, x, i) => sum + x * v[i], 0);
}

function times(element, v) {
  return v.map((_, i) => v.reduce((sum, x, j) => sum + element(i, j) * x, 0));
}

function power(v) {
  return times((i, j) => a(j, i), times(a, v));
}

function norm(n) {
  let v = [];
  for (let i = 0; i < n; i++) {
    v.push(1);
  }
  for (let i = 0; i < 19; i++) {
    v = power(v);
  }
  return Math.sqrt(dot(power(v), v) / dot(v, v));
}

Packages.languages.Work.run('spectralnorm', arguments[0], n => norm(n).toFixed(9));
