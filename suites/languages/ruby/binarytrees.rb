# Makes and walks full binary trees of several depths; one of them lives throughout.
java_import 'languages.Work'

LEAST = 4

Tree = Struct.new(:left, :right) do
  def self.of(depth)
    depth.zero? ? new : new(of(depth - 1), of(depth - 1))
  end

  def count
    left ? 1 + left.count + right.count : 1
  end
end

def trees(most)
  stretch = Tree.of(most + 1).count
  long_lived = Tree.of(most)
  counts = LEAST.step(most, 2).map do |depth|
    (1..(1 << (most - depth + LEAST))).sum { Tree.of(depth).count }
  end
  [stretch, *counts, long_lived.count].join(' ')
end

Work.run('binarytrees', ARGV[0]) { |n| trees(n) }
