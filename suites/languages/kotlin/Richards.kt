package richards

import languages.Work

private const val WORKER = 1
private const val HANDLER_A = 2
private const val HANDLER_B = 3
private const val DEVICE_A = 4
private const val DEVICE_B = 5
private const val DATA = 4

private enum class Kind { DEVICE, WORK }

private class Packet(var task: Int, val kind: Kind) {
    var at = 0
    val data = IntArray(DATA)
}

private abstract class Task(val id: Int, packets: List<Packet> = emptyList()) {
    val queue = ArrayDeque(packets)
    var isHeld = false
    var isSuspended = true
    var isRunnable = packets.isNotEmpty()

    val isWaiting get() = isHeld || (isSuspended && !isRunnable)

    /** Runs with the next packet, null if there is none; returns who runs then. */
    fun run(): Task? {
        if (!isSuspended || !isRunnable) return receive(null)
        val packet = queue.removeFirst()
        isSuspended = false
        isRunnable = queue.isNotEmpty()
        return receive(packet)
    }

    abstract fun receive(packet: Packet?): Task?
}

/**
 * Simulates the kernel of an operating system for n turns of its idle task: how many packets were
 * queued, and how often a task was held. A task's number is its priority.
 */
private class Kernel(turns: Int) {
    private val tasks = listOf(
        Idle(turns),
        Worker(),
        Handler(HANDLER_A, DEVICE_A),
        Handler(HANDLER_B, DEVICE_B),
        Device(DEVICE_A),
        Device(DEVICE_B),
    )
    private var current = tasks.last()
    private var queued = 0
    private var held = 0

    fun schedule(): String {
        var next: Task? = current
        while (next != null) {
            current = next
            next = if (current.isWaiting) below(current) else current.run()
        }
        return "$queued $held"
    }

    private fun below(task: Task) = tasks.getOrNull(task.id - 1)

    private fun hold(): Task? {
        held++
        current.isHeld = true
        return below(current)
    }

    private fun suspend() = current.apply { isSuspended = true }

    private fun release(id: Int): Task {
        tasks[id].isHeld = false
        return tasks[maxOf(id, current.id)]
    }

    private fun send(packet: Packet): Task {
        val task = tasks[packet.task]
        queued++
        packet.task = current.id
        task.queue += packet
        if (task.queue.size > 1) return current
        task.isRunnable = true
        return tasks[maxOf(task.id, current.id)]
    }

    private inner class Idle(private var turns: Int) : Task(0) {
        private var control = 1

        init {
            isSuspended = false
        }

        override fun receive(packet: Packet?): Task? {
            if (--turns == 0) return hold()
            val isEven = control % 2 == 0
            control = if (isEven) control shr 1 else (control shr 1) xor 0xD008
            return release(if (isEven) DEVICE_A else DEVICE_B)
        }
    }

    private inner class Worker : Task(WORKER, List(2) { Packet(WORKER, Kind.WORK) }) {
        private var handler = HANDLER_A
        private var letter = 0

        override fun receive(packet: Packet?): Task? {
            if (packet == null) return suspend()
            handler = if (handler == HANDLER_A) HANDLER_B else HANDLER_A
            packet.task = handler
            packet.at = 0
            for (i in packet.data.indices) {
                letter = letter % 26 + 1
                packet.data[i] = letter
            }
            return send(packet)
        }
    }

    private inner class Handler(id: Int, device: Int) :
        Task(id, List(3) { Packet(device, Kind.DEVICE) }) {
        private val work = ArrayDeque<Packet>()
        private val devices = ArrayDeque<Packet>()

        override fun receive(packet: Packet?): Task? {
            packet?.let { (if (it.kind == Kind.WORK) work else devices) += it }
            val next = work.firstOrNull() ?: return suspend()
            if (next.at == DATA) return send(work.removeFirst())
            val device = devices.removeFirstOrNull() ?: return suspend()
            device.at = next.data[next.at++]
            return send(device)
        }
    }

    private inner class Device(id: Int) : Task(id) {
        private var pending: Packet? = null

        override fun receive(packet: Packet?): Task? {
            val sent = pending
            pending = packet
            return when {
                packet != null -> hold()
                sent != null -> send(sent)
                else -> suspend()
            }
        }
    }
}

fun main(args: Array<String>) = Work.run("richards", args[0]) { n -> Kernel(n).schedule() }
