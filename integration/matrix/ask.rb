# What the scripts share: URL BODY [LIMIT [COUNT]].
URL, BODY, LIMIT, COUNT = ARGV
$stdout.binmode

# Prints bytes until there were LIMIT; false: it wants no more.
class Printer
  def initialize
    @left = LIMIT.to_s.empty? ? nil : LIMIT.to_i
  end

  def take(bytes)
    taken = @left ? bytes.byteslice(0, @left) : bytes
    $stdout.write(taken)
    @left -= taken.bytesize if @left
    @left != 0
  end
end

# COUNT files with the numbers' names, or one that takes all.
def sinks
  return [Printer.new.method(:take)] unless COUNT

  (1..COUNT.to_i).map do |n|
    file = File.open(n.to_s, 'wb')
    ->(bytes) { file.write(bytes) && file.flush && true }
  end
end
