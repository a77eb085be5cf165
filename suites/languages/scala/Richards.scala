import scala.collection.mutable.Queue
import languages.Work

/** Simulates the kernel of an operating system for n turns of its idle task: how many packets were
  * queued, and how often a task was held. A task's number is its priority.
  */
object Richards:
  private val Worker = 1
  private val HandlerA = 2
  private val HandlerB = 3
  private val DeviceA = 4
  private val DeviceB = 5
  private val dataSize = 4

  private enum Kind:
    case Device, Work

  private final class Packet(var task: Int, val kind: Kind):
    var at = 0
    var data: Vector[Int] = Vector.fill(dataSize)(0)

  private abstract class Task(val id: Int, packets: Packet*):
    val queue: Queue[Packet] = Queue.from(packets)
    var isHeld = false
    var isSuspended = true
    var isRunnable: Boolean = queue.nonEmpty

    def isWaiting: Boolean = isHeld || (isSuspended && !isRunnable)

    /** Runs with the next packet, if there is one; returns who runs then. */
    def run(): Option[Task] =
      if isSuspended && isRunnable then
        val packet = queue.dequeue()
        isSuspended = false
        isRunnable = queue.nonEmpty
        receive(Some(packet))
      else receive(None)

    protected def receive(packet: Option[Packet]): Option[Task]

  private final class Kernel(turns: Int):
    private val tasks = Vector(
      Idle(turns),
      WorkerTask(),
      Handler(HandlerA, DeviceA),
      Handler(HandlerB, DeviceB),
      Device(DeviceA),
      Device(DeviceB))
    private var current: Task = tasks(DeviceB)
    private var queued = 0
    private var held = 0

    def schedule(): String =
      var next: Option[Task] = Some(current)
      while next.isDefined do
        current = next.get
        next = if current.isWaiting then below(current) else current.run()
      s"$queued $held"

    private def below(task: Task): Option[Task] = tasks.lift(task.id - 1)

    private def hold(): Option[Task] =
      held += 1
      current.isHeld = true
      below(current)

    private def suspend(): Option[Task] =
      current.isSuspended = true
      Some(current)

    private def release(id: Int): Option[Task] =
      tasks(id).isHeld = false
      Some(tasks(id.max(current.id)))

    private def send(packet: Packet): Option[Task] =
      val task = tasks(packet.task)
      queued += 1
      packet.task = current.id
      task.queue.enqueue(packet)
      if task.queue.size > 1 then Some(current)
      else
        task.isRunnable = true
        Some(tasks(task.id.max(current.id)))

    private final class Idle(private var turns: Int) extends Task(0):
      private var control = 1
      isSuspended = false

      protected def receive(packet: Option[Packet]): Option[Task] =
        turns -= 1
        if turns == 0 then hold()
        else
          val isEven = control % 2 == 0
          control = if isEven then control >> 1 else (control >> 1) ^ 0xD008
          release(if isEven then DeviceA else DeviceB)

    private final class WorkerTask
        extends Task(Worker, Packet(Worker, Kind.Work), Packet(Worker, Kind.Work)):
      private var handler = HandlerA
      private var letter = 0

      protected def receive(packet: Option[Packet]): Option[Task] = packet match
        case None => suspend()
        case Some(packet) =>
          handler = if handler == HandlerA then HandlerB else HandlerA
          packet.task = handler
          packet.at = 0
          packet.data = Vector.fill(dataSize) {
            letter = letter % 26 + 1
            letter
          }
          send(packet)

    private final class Handler(id: Int, device: Int)
        extends Task(id, Seq.fill(3)(Packet(device, Kind.Device))*):
      private val work = Queue.empty[Packet]
      private val devices = Queue.empty[Packet]

      protected def receive(packet: Option[Packet]): Option[Task] =
        packet.foreach(p => (if p.kind == Kind.Work then work else devices).enqueue(p))
        work.headOption match
          case Some(next) if next.at == dataSize => send(work.dequeue())
          case Some(next) if devices.nonEmpty =>
            val device = devices.dequeue()
            device.at = next.data(next.at)
            next.at += 1
            send(device)
          case _ => suspend()

    private final class Device(id: Int) extends Task(id):
      private var pending: Option[Packet] = None

      protected def receive(packet: Option[Packet]): Option[Task] = (packet, pending) match
        case (Some(_), _) =>
          pending = packet
          hold()
        case (None, Some(sent)) =>
          pending = None
          send(sent)
        case _ => suspend()

  def main(args: Array[String]): Unit =
    Work.run("richards", args(0), n => Kernel(n).schedule())
