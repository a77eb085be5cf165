package io.jvmscope.probe;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.classfile.Unwatched;
import io.jvmscope.layout.ObjectLayouts;
import io.jvmscope.tables.FrameWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the tables of a probe are made of.
 *
 * @param raw directory that the agent wrote into beside the arena
 * @param arena with sorted trees
 * @param natives the native methods
 * @param objects what is known of them
 * @param hasFolded calls were counted in other contexts than their own
 * @param unlogged what tables lack; each says so when it is finished
 * @param probes in the order of what {@code methods} knows for them
 */
public record Recording(
    Path raw,
    FrameWriter out,
    Arena arena,
    Methods methods,
    Classes classes,
    DeclaredFields fields,
    Natives natives,
    Objects objects,
    boolean hasFolded,
    Unlogged unlogged,
    Probe[] probes) {
  /** The classes that have a number in the arena. */
  public interface Classes {
    /** Key of the class of a number, of several the preferred one if it is among them; else -1. */
    int find(int number, int preferred);

    /** Number, among the types of objects, of the class or array of a number; -1 if unknown. */
    int type(int number);

    /** The same of a class's instances, by its key. */
    int typeOfClass(int classId);

    /** Is the number that of a hidden class that was defined before the recording began? */
    boolean isFromBefore(int number);

    /** Key of the class with a name; -1 if there is none, or if there are several. */
    int named(String name);
  }

  /** The native methods that the loaded classes declare. */
  @FunctionalInterface
  public interface Natives {
    /**
     * Key of a method; -1 if no loaded class declares it, or several classes of one name do.
     *
     * @param className internal form
     */
    int find(String className, String name, String descriptor);
  }

  /**
   * What is known of objects.
   *
   * @param types what they may be
   * @param layouts the sizes of instances
   * @param continued constructors of theirs
   */
  public record Objects(ObjectTypes types, ObjectLayouts layouts, Continued continued) {}

  /**
   * The calls of constructors that began no object in the context where they are counted: they were
   * folded into it from another one, or the constructor of an uninstrumented subclass made them.
   */
  @FunctionalInterface
  public interface Continued {
    /** How many a node or proxy has. */
    long in(long node);
  }

  /** What classes declare; asked for by probes that follow objects. */
  public interface DeclaredFields {
    /** Keys of the instance fields that a class declares, in order. */
    int[] instanceFields(int classId);

    /** Key of the superclass; -1 if there is none, or it was never loaded. */
    int superclass(int classId);

    /** Why objects have no words for the fields of a class; null if they may have. */
    String unwatched(int classId);

    /**
     * Why objects of a class have no words, although its own fields might: the class that would
     * have those of the object as a whole is not instrumented. Null: it is.
     */
    default String wordless(int classId) {
      String found = null;
      for (int id = classId; id >= 0; id = superclass(id)) {
        String why = unwatched(id);
        if (why != null && Unwatched.isReason(why)) {
          break;
        }
        found = why == null ? null : "of a superclass: " + why;
      }
      return found;
    }

    /** Has a class no objects but those of subclasses? */
    boolean isAbstract(int classId);

    /** Number of classes. */
    int classCount();
  }

  /** What is known of objects; read from the arena each time. */
  WatchedObjects watched() {
    return new WatchedObjects(this);
  }

  /** Are the states of fields followed? */
  boolean followsFields() {
    for (Probe probe : probes) {
      if (probe instanceof FieldStates) {
        return true;
      }
    }
    return false;
  }

  /** The number of a probe, by which methods know what concerns it. */
  int indexOf(Probe probe) {
    int k = 0;
    while (probes[k] != probe) {
      k++;
    }
    return k;
  }

  /** The tables of all probes. */
  public ProbeTables[] tables() throws IOException {
    List<ProbeTables> all = new ArrayList<>();
    for (Probe probe : probes) {
      ProbeTables tables = probe.tables(this);
      if (tables != null) {
        all.add(tables);
      }
    }
    return all.toArray(new ProbeTables[0]);
  }
}
