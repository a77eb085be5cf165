package battery;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import jdk.jfr.Category;
import jdk.jfr.Configuration;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** Flight recordings of the program's own, and what they say of its events and its files. */
public final class Flights {
  private static final List<String> WATCHED =
      List.of(
          "battery.Step",
          "jdk.ThreadStart",
          "jdk.JavaExceptionThrow",
          "jdk.JavaErrorThrow",
          "jdk.FileForce",
          "jdk.FileRead",
          "jdk.FileWrite");

  /** An event of the program's. */
  @Name("battery.Step")
  @Label("Step")
  @Category("Battery")
  @StackTrace
  static final class Step extends Event {
    @Label("Number")
    int number;

    String text;
  }

  private Flights() {}

  public static void main(String[] words) throws Exception {
    PrintStream out = System.out;
    out.println("begun " + FlightRecorder.isInitialized() + " "
        + FlightRecorder.getFlightRecorder().getRecordings().stream().map(Recording::getName)
            .toList());
    types(out);
    Path file = Files.createTempFile("flight", ".jfr");
    try (Recording recording = new Recording(Configuration.getConfiguration("default"))) {
      for (String name : WATCHED) {
        recording.enable(name).withoutThreshold().withStackTrace().with("throttle", "off");
      }
      recording.start();
      work();
      recording.stop();
      recording.dump(file);
    }
    TreeMap<String, Integer> counts = new TreeMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      String name = event.getEventType().getName();
      if (name.equals("battery.Step")) {
        counts.merge(name, 1, Integer::sum);
        out.println(event.getInt("number") + event.getString("text") + event.getThread("eventThread")
            .getJavaName());
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
          out.println("  " + frame.getMethod().getType().getName() + "."
              + frame.getMethod().getName() + frame.getMethod().getDescriptor() + " "
              + frame.getLineNumber() + " " + frame.getMethod().getModifiers());
        }
      } else if (name.equals("jdk.ThreadStart")) {
        out.println("thread " + event.getThread("thread").getJavaName());
      } else if (WATCHED.contains(name)) {
        out.println(name + " " + event.getString(event.hasField("path") ? "path" : "message"));
      }
    }
    out.println(counts);
    Files.delete(file);
  }

  private static void work() throws Exception {
    for (int i = 0; i < 3; i++) {
      Step step = new Step();
      step.begin();
      step.number = i;
      step.text = "t" + i;
      step.commit();
    }
    Thread thread = new Thread(new Ninth(), "steps");
    thread.start();
    thread.join();
  }

  private static final class Ninth implements Runnable {
    @Override
    public void run() {
      Step step = new Step();
      step.number = 9;
      step.commit();
      for (int i = 0; i < 2; i++) {
        try {
          new Locked().fail();
        } catch (Locked e) { // an event with this message
        }
        try {
          Class.forName("battery.None" + i);
        } catch (ClassNotFoundException e) { // likewise
        }
      }
    }
  }

  /** Has a lock and a hash code, and is thrown. */
  private static final class Locked extends Exception {
    private final Object[] lock = {hashCode()};

    Locked() {
      super("locked");
    }

    void fail() throws Locked {
      synchronized (lock) {
        throw this;
      }
    }
  }

  private static void types(PrintStream out) {
    for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
      TreeSet<String> fields = new TreeSet<>();
      for (ValueDescriptor field : type.getFields()) {
        fields.add(field.getTypeName() + " " + field.getName());
      }
      out.println(type.getName() + " " + type.getLabel() + " " + type.isEnabled() + fields);
    }
  }
}
