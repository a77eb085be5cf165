import languages.Work

// Which points of an n by n raster stay bounded for 50 steps: their number and a checksum.
boolean isBounded(double x, double y) {
    double re = 0, im = 0
    for (step in 0..<50) {
        (re, im) = [re * re - im * im + x, 2 * re * im + y]
        if (re * re + im * im > 4) return false
    }
    true
}

String raster(int n) {
    def bits = [0..<n, 0..<n].combinations().collect { column, row ->
        isBounded(2.0d * column / n - 1.5d, 2.0d * row / n - 1) ? 1 : 0
    }
    "${bits.sum()} ${bits.inject(1) { checksum, bit -> (checksum * 31 + bit) % 65_521 }}"
}

Work.run('mandelbrot', args[0]) { int n -> raster(n) }
