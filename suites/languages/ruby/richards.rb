# Simulates the kernel of an operating system for n turns of its idle task: how many packets were
# queued, and how often a task was held. A task's number is its priority.
java_import 'languages.Work'

WORKER = 1
HANDLER_A = 2
HANDLER_B = 3
DEVICE_A = 4
DEVICE_B = 5
DATA = 4

Packet = Struct.new(:task, :kind, :at, :data)

class Task
  attr_reader :id, :queue
  attr_writer :held, :suspended, :runnable

  def initialize(kernel, id, packets = [])
    @kernel = kernel
    @id = id
    @queue = packets
    @held = false
    @suspended = true
    @runnable = packets.any?
  end

  def waiting?
    @held || (@suspended && !@runnable)
  end

  # Runs with the next packet, nil if there is none; returns who runs then.
  def run
    return receive(nil) unless @suspended && @runnable

    packet = queue.shift
    @suspended = false
    @runnable = queue.any?
    receive(packet)
  end
end

class Idle < Task
  def initialize(kernel, turns)
    super(kernel, 0)
    @turns = turns
    @control = 1
    @suspended = false
  end

  def receive(_packet)
    @turns -= 1
    return @kernel.hold if @turns.zero?

    even = @control.even?
    @control >>= 1
    @control ^= 0xD008 unless even
    @kernel.release(even ? DEVICE_A : DEVICE_B)
  end
end

class Worker < Task
  def initialize(...)
    super
    @handler = HANDLER_A
    @letter = 0
  end

  def receive(packet)
    return @kernel.suspend unless packet

    @handler = @handler == HANDLER_A ? HANDLER_B : HANDLER_A
    packet.task = @handler
    packet.at = 0
    packet.data = Array.new(DATA) { @letter = @letter % 26 + 1 }
    @kernel.deliver(packet)
  end
end

class Handler < Task
  def initialize(...)
    super
    @packets = { work: [], device: [] }
  end

  def receive(packet)
    @packets[packet.kind] << packet if packet
    following = @packets[:work].first
    return @kernel.suspend unless following
    return @kernel.deliver(@packets[:work].shift) if following.at == DATA
    return @kernel.suspend unless (device = @packets[:device].shift)

    device.at = following.data[following.at]
    following.at += 1
    @kernel.deliver(device)
  end
end

class Device < Task
  def receive(packet)
    sent = @pending
    @pending = packet
    if packet then @kernel.hold
    elsif sent then @kernel.deliver(sent)
    else @kernel.suspend
    end
  end
end

class System
  def initialize(turns)
    @queued = 0
    @held = 0
    @tasks = [
      Idle.new(self, turns),
      Worker.new(self, WORKER, packets(2, WORKER, :work)),
      Handler.new(self, HANDLER_A, packets(3, DEVICE_A, :device)),
      Handler.new(self, HANDLER_B, packets(3, DEVICE_B, :device)),
      Device.new(self, DEVICE_A),
      Device.new(self, DEVICE_B)
    ]
  end

  def packets(count, task, kind)
    Array.new(count) { Packet.new(task, kind, 0) }
  end

  def schedule
    @current = @tasks.last
    @current = @current.waiting? ? below(@current) : @current.run while @current
    "#{@queued} #{@held}"
  end

  def below(task)
    task.id.zero? ? nil : @tasks[task.id - 1]
  end

  def hold
    @held += 1
    @current.held = true
    below(@current)
  end

  def suspend
    @current.suspended = true
    @current
  end

  def release(id)
    @tasks[id].held = false
    @tasks[[id, @current.id].max]
  end

  def deliver(packet)
    task = @tasks[packet.task]
    @queued += 1
    packet.task = @current.id
    task.queue << packet
    return @current if task.queue.size > 1

    task.runnable = true
    @tasks[[task.id, @current.id].max]
  end
end

Work.run('richards', ARGV[0]) { |n| System.new(n).schedule }
