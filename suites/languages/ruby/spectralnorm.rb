# The spectral norm of the infinite matrix 1, 1/2, 1/3, … cut to n by n, by power iteration.
java_import 'languages.Work'

def a(i, j)
  1.0 / ((i + j) * (i + j + 1) / 2 + i + 1)
end

def dot(u, v)
  u.zip(v).inject(0.0) { |sum, (x, y)| sum + x * y }
end

def times(v)
  v.each_index.map do |i|
    sum = 0.0
    v.each_with_index { |x, j| sum += yield(i, j) * x }
    sum
  end
end

def power(v)
  times(times(v) { |i, j| a(i, j) }) { |i, j| a(j, i) }
end

def norm(n)
  v = [1.0] * n
  19.times { v = power(v) }
  Math.sqrt(dot(power(v), v) / dot(v, v))
end

Work.run('spectralnorm', ARGV[0]) { |n| format('%.9f', norm(n)) }
