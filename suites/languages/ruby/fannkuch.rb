# Flips pancakes: over all permutations of n, the most flips, and a checksum of their numbers.
java_import 'languages.Work'

# Yields the arrangements of the first k by rotation, each once.
def permute(permutation, k = permutation.size, &visit)
  return visit.call(permutation) if k == 1

  k.times do
    permute(permutation, k - 1, &visit)
    permutation.insert(k - 1, permutation.shift)
  end
end

def flips(pancakes)
  done = 0
  until pancakes[0].zero?
    top = pancakes[0]
    pancakes[0..top] = pancakes[0..top].reverse
    done += 1
  end
  done
end

def fannkuch(n)
  checksum = 0
  most = 0
  sign = 1
  permute((0...n).to_a) do |permutation|
    count = flips(permutation.dup)
    most = [most, count].max
    checksum += sign * count
    sign = -sign
  end
  "#{checksum} #{most}"
end

Work.run('fannkuch', ARGV[0]) { |n| fannkuch(n) }
