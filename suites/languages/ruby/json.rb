# Writes n records as JSON, reads them back, and sums up what was read.
java_import 'languages.Work'

ESCAPES = { '"' => '\\"', '\\' => '\\\\', "\n" => '\\n' }.freeze

def item(i)
  {
    'id' => i,
    'name' => "item \"#{i * 7919 % 1000}\"\n",
    'tags' => Array.new(i % 4) { |t| "t#{i * t}" },
    'next' => (i % 3).zero? ? nil : { 'to' => -i },
    'even' => i.even?
  }
end

def write(value)
  case value
  when nil then 'null'
  when String then quoted(value)
  when Array then "[#{value.map { |each| write(each) }.join(',')}]"
  when Hash then "{#{value.map { |key, each| "#{quoted(key)}:#{write(each)}" }.join(',')}}"
  else value.to_s
  end
end

def quoted(text)
  "\"#{text.each_char.map { |c| ESCAPES.fetch(c, c) }.join}\""
end

class Parser
  def initialize(text)
    @text = text
    @at = 0
  end

  def value
    case @text[@at]
    when '{' then object
    when '[' then array
    when '"' then string
    when 't' then word('true', true)
    when 'f' then word('false', false)
    when 'n' then word('null', nil)
    else number
    end
  end

  private

  def object
    elements('}') do
      key = string
      @at += 1
      [key, value]
    end.to_h
  end

  def array
    elements(']') { value }
  end

  def elements(close)
    found = []
    @at += 1
    until @text[@at] == close
      found << yield
      @at += 1 if @text[@at] == ','
    end
    @at += 1
    found
  end

  def string
    found = +''
    @at += 1
    until @text[@at] == '"'
      if @text[@at] == '\\'
        @at += 1
        found << (@text[@at] == 'n' ? "\n" : @text[@at])
      else
        found << @text[@at]
      end
      @at += 1
    end
    @at += 1
    found
  end

  def word(word, value)
    @at += word.length
    value
  end

  def number
    start = @at
    @at += 1 while @text[@at]&.match?(/[-0-9]/)
    @text[start...@at].to_i
  end
end

def sum(value)
  case value
  when Integer then value
  when String then value.length
  when Array then value.sum { |each| sum(each) }
  when Hash then value.sum { |key, each| key.length * 3 + sum(each) }
  when true then 1
  when false then 0
  else 7
  end
end

Work.run('json', ARGV[0]) do |n|
  text = write(Array.new(n) { |i| item(i) })
  read = Parser.new(text).value
  "#{text.length} #{sum(read)} #{write(read).length}"
end
