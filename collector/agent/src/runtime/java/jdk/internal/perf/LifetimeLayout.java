package jdk.internal.perf;

/**
 * Where things lie in the file {@code lifetimes}, in bytes, little-endian; it is sparse. The
 * runtime writes it, the dump is compiled with these constants.
 *
 * <p>An object has a <em>number</em>, from 1 on in the order of allocation; the clock of the
 * recording is the number that was given last, so it stands still unless something is allocated.
 * Contexts are links to nodes of the arena.
 */
public final class LifetimeLayout {
  /** "JVSCLIF1", at the start. */
  public static final long MAGIC = 0x3146_494C_4353_564AL;

  /** 32 bits: the number that was given last. */
  public static final int CLOCK = 8;

  /** 64 bits: bytes of the log that were given out. */
  public static final int LOG_TOP = 16;

  /** 32 bits: stretches of root memory that were given out. */
  public static final int STRETCHES = 24;

  /** 32 bits: why the recording is not whole; see below. */
  public static final int LOST = 28;

  /** A thread found no memory for its frames. */
  public static final int NO_FRAMES = 1;

  /** No number was left, or no space on the disk. */
  public static final int NO_NUMBERS = 2;

  // ---- the frames of threads: one stretch each, which the next thread may have again

  public static final long FRAMES = 1L << 20;

  /** Bytes of a stretch, of which the disk has what was used. */
  public static final long STRETCH = 64L << 20;

  public static final int MOST_STRETCHES = 1 << 13;

  /** 64 bits in a stretch: where the next frame begins, from the stretch's start. */
  public static final int STRETCH_TOP = 0;

  /** 64 bits in a stretch: how far it has a place on the disk. */
  public static final int STRETCH_END = 8;

  /** The first frame; in front of it is the word that a constructor without a caller reads. */
  public static final int FIRST_FRAME = 32;

  /**
   * A frame: link of its context; its bytes, and in the upper 16 bits the words that follow, but
   * for the last. They have numbers of objects, or 0: those of local variables, of operands, and of
   * objects that are made and not constructed yet. The last is that of the object whose constructor
   * is about to be called.
   */
  public static final int FRAME_HEAD = 8;

  // ---- when each object was a root last: 64 bits by its number, the clock and below the context

  public static final long STAMPS = FRAMES + STRETCH * MOST_STRETCHES;

  public static final int MOST_OBJECTS = 0x7FFF_FFF0;

  // ---- the hash code that the program sees of an object: 32 bits by its number, 0: not asked for

  public static final long HASHES = STAMPS + 8L * (1L << 31);

  // ---- the log

  public static final long LOG = HASHES + 4L * (1L << 31);

  public static final long MOST_LOG = 1L << 40;

  public static final long FILE_BYTES = LOG + MOST_LOG;

  /**
   * A record has four words: the context; what follows from the kind in the lower 29 bits, and the
   * kind above; and two more.
   */
  public static final int RECORD = 16;

  public static final int KIND_SHIFT = 29;
  public static final int LOWER = (1 << KIND_SHIFT) - 1;

  /** {@code new}, or an array of known type: site; number; units of the array. */
  public static final int MADE = 1;

  /** Any other way: site and 1, or 0; number; number of the class. */
  public static final int MADE_OTHERWISE = 2;

  /** The array made last has a length: 0; number; units. Or {@link #NOBODY}; number; 0. */
  public static final int LENGTH = 3;

  /** No object has the number: another thread has given the object one, too. */
  public static final int NOBODY = 1;

  /** An object was met whose allocation was not seen: 0; number; number of the class. */
  public static final int FOUND = 4;

  /** A reference was stored in an object: place in it; its number; number of the target. */
  public static final int STORED = 5;

  /** A static field was written: 0; number of the old target; number of the new one. */
  public static final int STATIC = 6;

  /** An object was cloned: 0; its number; number of the clone. */
  public static final int CLONED = 7;

  private LifetimeLayout() {}
}
