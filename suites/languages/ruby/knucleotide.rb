# Counts the substrings of a random sequence of n bases: all short ones, and three long ones.
java_import 'languages.Work'

def sequence(n)
  seed = 42
  Array.new(n) do
    seed = (seed * 3877 + 29_573) % 139_968
    'ACGT'[seed * 4 / 139_968]
  end.join
end

def counts(sequence, length)
  sequence.each_char.each_cons(length).map(&:join).tally
end

def report(sequence)
  all = [1, 2].flat_map do |length|
    sorted = counts(sequence, length).sort_by { |substring, count| [-count, substring] }
    sorted.map { |substring, count| "#{substring}=#{count}" }
  end
  some = %w[GGT GGTA GGTATT].map { |s| "#{s}=#{counts(sequence, s.length).fetch(s, 0)}" }
  (all + some).join(' ')
end

Work.run('knucleotide', ARGV[0]) { |n| report(sequence(n)) }
