package io.jvmscope.dump;

import io.jvmscope.arena.RecordingDamaged;
import io.jvmscope.classfile.ClassFormatException;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Json;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * {@code java -cp jvmscope-agent.jar io.jvmscope.dump.Main RAW [OPTIONS]}: writes frames on
 * standard output. RAW is the directory that the agent wrote into, OPTIONS the agent's options
 * file, by default {@code options} in RAW. Run it with the JDK that was recorded: the class files
 * of the JDK come from there. Exit status 0 after a RESULT frame, 1 after an ERROR frame.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    if (args.length < 1 || args.length > 2) {
      System.err.println("usage: java -cp jvmscope-agent.jar io.jvmscope.dump.Main RAW [OPTIONS]");
      System.exit(2);
    }
    Path raw = Path.of(args[0]);
    Path optionsFile = args.length > 1 ? Path.of(args[1]) : raw.resolve("options");
    String failure;
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        FrameWriter frames = new FrameWriter(out.getChannel())) {
      failure = dump(raw, optionsFile, frames);
      if (failure != null) {
        frames.json(FrameWriter.ERROR, 0, Json.object(Map.of("message", failure)));
      }
    } catch (IOException e) { // of the raw files, or nobody reads the frames
      failure = e.toString();
      System.err.println(failure);
    }
    System.exit(failure == null ? 0 : 1);
  }

  /** Null if all went well, else why the recording cannot be read. */
  static String dump(Path raw, Path optionsFile, FrameWriter frames) throws IOException {
    try {
      RecordingOptions options = RecordingOptions.read(raw, optionsFile);
      if (options.hasTree()) {
        new Dump(raw, options, frames).run();
      } else {
        new NativeDump(raw, options, frames).run();
      }
      return null;
    } catch (OutOfMemoryError e) { // first: there may be no room for the classes of the others
      return "not enough memory to read the recording";
    } catch (RecordingDamaged e) {
      return e.getMessage();
    } catch (ClassFormatException e) {
      return "class log: " + e.getMessage();
    } catch (IndexOutOfBoundsException e) {
      return "arena: damaged, a link points outside the file";
    } catch (ArithmeticException e) {
      return "arena: more than 2147483647 contexts; record with a smaller --max-memory";
    } catch (NoSuchFileException e) {
      return e.getFile() + ": no such file";
    }
  }
}
