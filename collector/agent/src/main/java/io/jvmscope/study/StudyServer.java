package io.jvmscope.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Answers what the driver of the study asks, and ends the VM when the driver is gone. */
final class StudyServer implements Runnable {
  private static final int ABANDONED = 130; // as after Ctrl-C
  private static final long HOOKS_MS = 5_000;
  private static final long SWEEP_MS = 500;

  private final Path directory;
  private final DriverLink link;
  private final StudiedMethods methods;
  private final StudyTransformer transformer;

  StudyServer(
      Path directory, DriverLink link, StudiedMethods methods, StudyTransformer transformer) {
    this.directory = directory;
    this.link = link;
    this.methods = methods;
    this.transformer = transformer;
  }

  @Override
  public void run() {
    ThreadState.leaveOut();
    ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(this::ownThread);
    sweeper.scheduleWithFixedDelay(Buffers::sweep, SWEEP_MS, SWEEP_MS, TimeUnit.MILLISECONDS);
    try {
      link.send(List.of("ready", Long.toString(ProcessHandle.current().pid())));
      while (true) {
        link.send(answer(link.read()));
      }
    } catch (IOException e) { // the driver is gone
      endVm();
    }
  }

  private Thread ownThread(Runnable task) {
    Runnable leftOut =
        () -> {
          ThreadState.leaveOut();
          task.run();
        };
    Thread thread = new Thread(null, leftOut, "jvmscope-study-sweeper");
    thread.setDaemon(true);
    return thread;
  }

  /** The program was started for the study alone. */
  private void endVm() {
    Thread atLast =
        ownThread(
            () -> {
              try {
                Thread.sleep(HOOKS_MS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              Runtime.getRuntime().halt(ABANDONED);
            });
    atLast.start();
    removeFiles();
    System.exit(ABANDONED);
  }

  /** A driver that was killed has left them. */
  private void removeFiles() {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) { // the driver has removed them
      return;
    }
  }

  private List<String> answer(List<String> request) {
    try {
      return switch (request.get(0)) {
        case "calls" -> calls();
        case "samples" -> samples(request);
        case "failures" -> failures();
        default -> List.of("failed", "unknown request " + request.get(0));
      };
    } catch (IOException | RuntimeException e) {
      return List.of("failed", e.toString());
    }
  }

  /** Each method, and how many of its invocations have ended. */
  private List<String> calls() {
    List<StudiedMethods.Method> known = methods.all();
    long[] calls = Buffers.calls(known.size());
    List<String> fields = new ArrayList<>();
    fields.add("calls");
    for (int number = 0; number < calls.length; number++) {
      StudiedMethods.Method method = known.get(number);
      fields.add(method.className());
      fields.add(method.name());
      fields.add(method.descriptor());
      fields.add(Long.toString(calls[number]));
    }
    return fields;
  }

  /** Writes the samples of some methods since a time to a file. */
  private List<String> samples(List<String> request) throws IOException {
    boolean[] wanted = new boolean[methods.all().size()];
    for (String number : request.subList(3, request.size())) {
      wanted[Integer.parseInt(number)] = true;
    }
    try (SampleFile file =
        new SampleFile(Path.of(request.get(1)), Long.parseLong(request.get(2)))) {
      Buffers.read(wanted, file::write);
    }
    return List.of("samples", Long.toString(Buffers.N_UNMEASURED.get()));
  }

  private List<String> failures() {
    List<String> fields = new ArrayList<>();
    fields.add("failures");
    transformer.failures.forEach(
        (name, reason) -> {
          fields.add(name);
          fields.add(reason);
        });
    return fields;
  }
}
