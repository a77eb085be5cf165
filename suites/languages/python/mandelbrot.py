"""Which points of an n by n raster stay bounded for 50 steps: their number and a checksum."""

import sys

from languages import Work


def is_bounded(x, y):
    re = im = 0.0
    for _ in range(50):
        re, im = re * re - im * im + x, 2 * re * im + y
        if re * re + im * im > 4:
            return False
    return True


def raster(n):
    bits = [
        int(is_bounded(2.0 * column / n - 1.5, 2.0 * row / n - 1))
        for row in range(n)
        for column in range(n)
    ]
    checksum = reduce(lambda checksum, bit: (checksum * 31 + bit) % 65521, bits, 1)
    return "%d %d" % (sum(bits), checksum)


Work.run("mandelbrot", sys.argv[1], raster)
