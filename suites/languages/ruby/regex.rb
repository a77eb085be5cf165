# Searches a random sequence of n bases for patterns, and replaces some of them.
java_import 'languages.Work'

PATTERNS = [/gg[at]c/, /a(?:c|g)+t/, /tt.{2}gg/, /(?:aca|tgt)[^c]*c/, /[cg]{4,6}/, /c+a*t|g$/].freeze

def sequence(n)
  seed = 42
  Array.new(n) do
    seed = (seed * 3877 + 29_573) % 139_968
    'acgt'[seed * 4 / 139_968]
  end.join
end

def search(sequence)
  counts = PATTERNS.map { |pattern| sequence.scan(pattern).size }
  replaced = sequence.gsub(/t[ac]+g/, '<>').gsub(/([ag])<>/) { "#{$1}|#{$1}" }
  [*counts, replaced.length].join(' ')
end

Work.run('regex', ARGV[0]) { |n| search(sequence(n)) }
