# Word statistics, a small virtual machine, polymorphic shapes, n queens.
module Talk
  def talk(times) = times.zero? ? name.to_s : talk(times - 1) + sound
end

Animal = Struct.new(:name) { include Talk }
class Dog < Animal; def sound = 'wuff'; end
class Cat < Animal; def sound = 'meow'; end
class Cow < Animal; def sound = 'mooh'; end

def machine(n)
  stack = []
  program = [[:push, n], [:label], [:dup], [:sum], [:dec], [:loop]]
  total = 0
  pc = 0
  while pc < program.size
    op, arg = program[pc]
    case op
    when :push then stack.push(arg)
    when :dup then stack.push(stack.last)
    when :sum then total = (total * 3 + stack.pop) % 1_000_003
    when :dec then stack[-1] -= 1
    when :loop then pc = 1 if stack.last.positive?
    end
    pc += 1
  end
  total
end

def queens(n, row = 0, columns = 0, left = 0, right = 0)
  return 1 if row == n

  (0...n).sum do |c|
    bit = 1 << c
    taken = (columns | left | right) & bit
    taken.zero? ? queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1) : 0
  end
end

def words(n)
  counts = Hash.new(0)
  seed = 7
  n.times do
    seed = (seed * 1_103_515_245 + 12_345) % 2**31
    counts[%w[alpha beta gamma delta epsilon][seed / 65_536 % 5] + (seed / 8191 % 90).to_s] += 1
  end
  counts.sort_by { |word, count| [-count, word] }.first(5).map { |w, c| "#{w}=#{c}" }.join(' ')
end

def once(size)
  animals = [Dog.new(:rex), Cat.new(:tom), Cow.new(:elsa)]
  noise = (0...size * 20).sum { |i| animals[i % 3].talk(i % 7).length }
  lines = ["queens #{queens(size > 10 ? 7 : 6)}", "machine #{machine(size * 300)}", "noise #{noise}"]
  lines << words(size * 100)
  lines << (1..size * 10).lazy.map { |i| i * i }.select(&:even?).reject { |i| i % 3 == 0 }.sum.to_s
  lines << "a1b22c333".gsub(/[0-9]+/) { |digits| "<#{digits.length}>" }
  begin
    Integer('x1')
  rescue ArgumentError => e
    lines << e.class.name
  end
  lines.join("\n")
end

def processor_ms = File.read('/proc/thread-self/schedstat').to_i / 1e6

size = ARGV[0].to_i
iterations = (ARGV[1] || 1).to_i
expected = nil
iterations.times do
  busy = processor_ms if iterations > 1
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  result = once(size)
  elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  puts result unless expected
  raise 'results differ' unless (expected ||= result) == result

  $stderr.puts format('ITER %.3f %.3f', elapsed * 1000, processor_ms - busy) if iterations > 1
end
