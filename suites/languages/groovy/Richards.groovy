import groovy.transform.TupleConstructor
import languages.Work

// Simulates the kernel of an operating system for n turns of its idle task: how many packets were
// queued, and how often a task was held. A task's number is its priority.
class Kernel {
    static final int WORKER = 1, HANDLER_A = 2, HANDLER_B = 3, DEVICE_A = 4, DEVICE_B = 5, DATA = 4

    List<Task> tasks
    Task current
    int queued = 0, held = 0

    Kernel(int turns) {
        tasks = [
            new Idle(0, [], turns),
            new Worker(WORKER, (1..2).collect { new Packet(WORKER, 'work') }),
            new Handler(HANDLER_A, (1..3).collect { new Packet(DEVICE_A, 'device') }),
            new Handler(HANDLER_B, (1..3).collect { new Packet(DEVICE_B, 'device') }),
            new Device(DEVICE_A, []),
            new Device(DEVICE_B, []),
        ]
    }

    String schedule() {
        current = tasks.last()
        while (current) current = current.waiting ? below(current) : current.run(this)
        "$queued $held"
    }

    Task below(Task task) { task.id ? tasks[task.id - 1] : null }

    Task hold() {
        held++
        current.held = true
        below(current)
    }

    Task suspend() {
        current.suspended = true
        current
    }

    Task release(int id) {
        tasks[id].held = false
        tasks[Math.max(id, current.id)]
    }

    Task send(Packet packet) {
        def task = tasks[packet.task]
        queued++
        packet.task = current.id
        task.queue << packet
        if (task.queue.size() > 1) return current
        task.runnable = true
        tasks[Math.max(task.id, current.id)]
    }
}

@TupleConstructor
class Packet {
    int task
    String kind
    int at = 0
    List<Integer> data
}

abstract class Task {
    int id
    List<Packet> queue
    boolean held = false, suspended = true, runnable

    Task(int id, List<Packet> packets) {
        this.id = id
        queue = packets
        runnable = !packets.empty
    }

    boolean isWaiting() { held || (suspended && !runnable) }

    /** Runs with the next packet, null if there is none; returns who runs then. */
    Task run(Kernel kernel) {
        if (!suspended || !runnable) return receive(kernel, null)
        def packet = queue.remove(0)
        suspended = false
        runnable = !queue.empty
        receive(kernel, packet)
    }

    abstract Task receive(Kernel kernel, Packet packet)
}

class Idle extends Task {
    int turns, control = 1

    Idle(int id, List<Packet> packets, int turns) {
        super(id, packets)
        this.turns = turns
        suspended = false
    }

    Task receive(Kernel kernel, Packet packet) {
        if (--turns == 0) return kernel.hold()
        boolean isEven = control % 2 == 0
        control = isEven ? control >> 1 : (control >> 1) ^ 0xD008
        kernel.release(isEven ? Kernel.DEVICE_A : Kernel.DEVICE_B)
    }
}

class Worker extends Task {
    int handler = Kernel.HANDLER_A, letter = 0

    Worker(int id, List<Packet> packets) { super(id, packets) }

    Task receive(Kernel kernel, Packet packet) {
        if (!packet) return kernel.suspend()
        handler = handler == Kernel.HANDLER_A ? Kernel.HANDLER_B : Kernel.HANDLER_A
        packet.task = handler
        packet.at = 0
        packet.data = (1..Kernel.DATA).collect { letter = letter % 26 + 1 }
        kernel.send(packet)
    }
}

class Handler extends Task {
    List<Packet> work = [], devices = []

    Handler(int id, List<Packet> packets) { super(id, packets) }

    Task receive(Kernel kernel, Packet packet) {
        if (packet) (packet.kind == 'work' ? work : devices) << packet
        if (!work) return kernel.suspend()
        def next = work.first()
        if (next.at == Kernel.DATA) return kernel.send(work.remove(0))
        if (!devices) return kernel.suspend()
        def device = devices.remove(0)
        device.at = next.data[next.at++]
        kernel.send(device)
    }
}

class Device extends Task {
    Packet pending

    Device(int id, List<Packet> packets) { super(id, packets) }

    Task receive(Kernel kernel, Packet packet) {
        def sent = pending
        pending = packet
        packet ? kernel.hold() : sent ? kernel.send(sent) : kernel.suspend()
    }
}

Work.run('richards', args[0]) { int n -> new Kernel(n).schedule() }
