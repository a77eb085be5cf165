import java.util.ArrayDeque;
import java.util.Deque;
import languages.Work;

/**
 * Simulates the kernel of an operating system for n turns of its idle task: how many packets were
 * queued, and how often a task was held. A task's number is its priority.
 */
final class Richards {
  private static final int IDLE = 0;
  private static final int WORKER = 1;
  private static final int HANDLER_A = 2;
  private static final int HANDLER_B = 3;
  private static final int DEVICE_A = 4;
  private static final int DEVICE_B = 5;
  private static final int DATA = 4;

  private enum Kind {
    DEVICE,
    WORK
  }

  private static final class Packet {
    private int task;
    private final Kind kind;
    private int at;
    private final int[] data = new int[DATA];

    Packet(int task, Kind kind) {
      this.task = task;
      this.kind = kind;
    }
  }

  private abstract static class Task {
    final int id;
    final Deque<Packet> queue = new ArrayDeque<>();
    boolean isHeld;
    boolean isSuspended = true;
    boolean isRunnable;

    Task(int id) {
      this.id = id;
    }

    Task with(int packets, int task, Kind kind) {
      for (int i = 0; i < packets; i++) {
        queue.add(new Packet(task, kind));
      }
      isRunnable = true;
      return this;
    }

    boolean isWaiting() {
      return isHeld || (isSuspended && !isRunnable);
    }

    /** Runs with the next packet, null if there is none; returns who runs then. */
    Task run() {
      Packet packet = null;
      if (isSuspended && isRunnable) {
        packet = queue.remove();
        isSuspended = false;
        isRunnable = !queue.isEmpty();
      }
      return run(packet);
    }

    abstract Task run(Packet packet);
  }

  private final class Idle extends Task {
    private int turns;
    private int control = 1;

    Idle(int turns) {
      super(IDLE);
      this.turns = turns;
      isSuspended = false;
    }

    @Override
    Task run(Packet packet) {
      turns--;
      if (turns == 0) {
        return hold();
      }
      boolean isEven = control % 2 == 0;
      control = isEven ? control >> 1 : (control >> 1) ^ 0xD008;
      return release(isEven ? DEVICE_A : DEVICE_B);
    }
  }

  private final class Worker extends Task {
    private int handler = HANDLER_A;
    private int letter;

    Worker() {
      super(WORKER);
    }

    @Override
    Task run(Packet packet) {
      if (packet == null) {
        return suspend();
      }
      handler = handler == HANDLER_A ? HANDLER_B : HANDLER_A;
      packet.task = handler;
      packet.at = 0;
      for (int i = 0; i < DATA; i++) {
        letter = letter == 26 ? 1 : letter + 1;
        packet.data[i] = letter;
      }
      return send(packet);
    }
  }

  private final class Handler extends Task {
    private final Deque<Packet> work = new ArrayDeque<>();
    private final Deque<Packet> devices = new ArrayDeque<>();

    Handler(int id) {
      super(id);
    }

    @Override
    Task run(Packet packet) {
      if (packet != null) {
        (packet.kind == Kind.WORK ? work : devices).add(packet);
      }
      if (!work.isEmpty()) {
        Packet next = work.peek();
        if (next.at == DATA) {
          return send(work.remove());
        }
        if (!devices.isEmpty()) {
          Packet device = devices.remove();
          device.at = next.data[next.at];
          next.at++;
          return send(device);
        }
      }
      return suspend();
    }
  }

  private final class Device extends Task {
    private Packet pending;

    Device(int id) {
      super(id);
    }

    @Override
    Task run(Packet packet) {
      if (packet != null) {
        pending = packet;
        return hold();
      }
      if (pending == null) {
        return suspend();
      }
      Packet sent = pending;
      pending = null;
      return send(sent);
    }
  }

  private final Task[] tasks;
  private Task current;
  private int queued;
  private int held;

  private Richards(int turns) {
    tasks =
        new Task[] {
          new Idle(turns),
          new Worker().with(2, WORKER, Kind.WORK),
          new Handler(HANDLER_A).with(3, DEVICE_A, Kind.DEVICE),
          new Handler(HANDLER_B).with(3, DEVICE_B, Kind.DEVICE),
          new Device(DEVICE_A),
          new Device(DEVICE_B)
        };
  }

  private String schedule() {
    current = tasks[DEVICE_B];
    while (current != null) {
      current = current.isWaiting() ? below(current) : current.run();
    }
    return queued + " " + held;
  }

  private Task below(Task task) {
    return task.id == IDLE ? null : tasks[task.id - 1];
  }

  private Task hold() {
    held++;
    current.isHeld = true;
    return below(current);
  }

  private Task suspend() {
    current.isSuspended = true;
    return current;
  }

  private Task release(int id) {
    tasks[id].isHeld = false;
    return tasks[Math.max(id, current.id)];
  }

  private Task send(Packet packet) {
    Task task = tasks[packet.task];
    queued++;
    packet.task = current.id;
    task.queue.add(packet);
    if (task.queue.size() > 1) {
      return current;
    }
    task.isRunnable = true;
    return tasks[Math.max(task.id, current.id)];
  }

  public static void main(String[] args) {
    Work.run("richards", args[0], n -> new Richards(n).schedule());
  }
}
