// Which points of an n by n raster stay bounded for 50 steps: their number and a checksum.
function isBounded(x, y) {
  let re = 0, im = 0;
  for (let step = 0; step < 50; step++) {
    let next = re * re - im * im + x;
    im = 2 * re * im + y;
    re = next;
    if (re * re + im * im > 4) {
      return false;
    }
  }
  return true;
}

function raster(n) {
  let bounded = 0, checksum = 1;
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      let bit = isBounded(2 * column / n - 1.5, 2 * row / n - 1) ? 1 : 0;
      bounded += bit;
      checksum = (checksum * 31 + bit) % 65521;
    }
  }
  return bounded + ' ' + checksum;
}

Packages.languages.Work.run('mandelbrot', arguments[0], raster);
