import java.util.ArrayDeque;

/**
 * Simulates jobs that wait for a processor and disks: small accessors, and strings that tell what
 * happens, as the program of Newhall and Miller (1998) had them.
 */
final class Sim {
  private static final int JOBS = 60;
  private static final int END = 4_000;
  private static int now;
  private final Device[] devices = new Device[48];
  private int seed = 1;

  private Sim() {
    for (int i = 0; i < devices.length; i++) {
      devices[i] = new Device(i == 0 ? "processor" : "disk " + i);
    }
  }

  /** Simulates as often as the first argument says, when a line has come; says what was done. */
  public static void main(String[] arguments) throws Exception {
    System.out.println("ready");
    System.in.read();
    long done = 0;
    for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
      done = 31 * done + new Sim().run();
    }
    System.out.println(done);
  }

  static int now() {
    return now;
  }

  private long run() {
    now = 0;
    for (int i = 0; i < JOBS; i++) {
      devices[0].add(new Job(i));
    }
    long finished = 0;
    while (now() < END) {
      for (Device device : devices) {
        if (!device.isBusy() && device.hasJobs()) {
          device.start(1 + random(device == devices[0] ? 2 : 20));
        }
      }
      now = firstInterrupt();
      for (Device device : devices) {
        if (device.isBusy() && device.nextInterrupt() == now()) {
          Job job = device.stop();
          finished = 31 * finished + job.number() + now();
          devices[device == devices[0] ? 1 + random(devices.length - 1) : 0].add(job);
        }
      }
    }
    return finished;
  }

  private int firstInterrupt() {
    int first = Integer.MAX_VALUE;
    for (Device device : devices) {
      if (device.isBusy() && device.nextInterrupt() < first) {
        first = device.nextInterrupt();
      }
    }
    return first;
  }

  private int random(int bound) {
    seed = seed * 1_103_515_245 + 12_345;
    return (seed >>> 16) % bound;
  }
}

/** Something that serves one job at a time. */
final class Device {
  private final ArrayDeque<Job> waiting = new ArrayDeque<>();
  private final String name;
  private Job job;
  private int interrupt;
  private int jobs;
  private String status = "";

  Device(String name) {
    this.name = name;
  }

  boolean isBusy() {
    return job != null;
  }

  boolean hasJobs() {
    return jobs > 0;
  }

  int nextInterrupt() {
    return interrupt;
  }

  String status() {
    return status;
  }

  void add(Job added) {
    waiting.add(added);
    jobs++;
  }

  void start(int burst) {
    job = waiting.remove();
    jobs--;
    interrupt = Sim.now() + burst;
    StringBuffer text = new StringBuffer();
    text.append("device ").append(name).append(" starts job ").append(job.number());
    text.append(" at ").append(Sim.now()).append(" until ").append(nextInterrupt());
    status = text.toString();
  }

  Job stop() {
    StringBuffer text = new StringBuffer();
    text.append("device ").append(name).append(" stops job ").append(job.number());
    text.append(" at ").append(Sim.now());
    status = text.toString();
    Job stopped = job;
    job = null;
    return stopped;
  }
}

/** A job. */
final class Job {
  private final int number;

  Job(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
