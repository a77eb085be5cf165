# Counts the ways to place n queens on a board of n by n, row by row, by backtracking.
java_import 'languages.Work'

def safe?(column, placed)
  placed.reverse.each.with_index(1).none? do |other, distance|
    other == column || (other - column).abs == distance
  end
end

def place(n, placed = [])
  return 1 if placed.size == n

  (0...n).select { |column| safe?(column, placed) }.sum { |column| place(n, placed + [column]) }
end

Work.run('queens', ARGV[0]) { |n| place(n).to_s }
