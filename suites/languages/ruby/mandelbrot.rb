# Which points of an n by n raster stay bounded for 50 steps: their number and a checksum.
java_import 'languages.Work'

def bounded?(x, y)
  re = im = 0.0
  50.times do
    re, im = re * re - im * im + x, 2 * re * im + y
    return false if re * re + im * im > 4
  end
  true
end

def raster(n)
  bits = (0...n).flat_map do |row|
    (0...n).map { |column| bounded?(2.0 * column / n - 1.5, 2.0 * row / n - 1) ? 1 : 0 }
  end
  "#{bits.sum} #{bits.inject(1) { |checksum, bit| (checksum * 31 + bit) % 65_521 }}"
end

Work.run('mandelbrot', ARGV[0]) { |n| raster(n) }
