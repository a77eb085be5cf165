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

  /** 64 bits: chunks of the log that are packed, and in the lower bits the bytes they take so. */
  public static final int PACKED = 32;

  public static final int PACKED_SHIFT = 40;

  /** 64 bits: bytes of the file that have a place on the disk. */
  public static final int DISK = 40;

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

  // ---- the log: a ring of the latest records, whose oldest chunk is packed when there is no room

  public static final long RING = HASHES + 4L * (1L << 31);

  public static final int RING_BYTES = 8 << 20;

  public static final int CHUNK = 1 << 20;

  /** Packed chunks, one after the other. */
  public static final long PACKED_LOG = RING + RING_BYTES;

  public static final long MOST_PACKED = 1L << PACKED_SHIFT;

  public static final int MOST_CHUNKS = 1 << 23;

  /** What is mapped; packed chunks follow. */
  public static final long MAPPED_BYTES = PACKED_LOG;

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

  // ---- a packed record

  /**
   * A byte, and numbers of seven bits a byte, the lowest first, if the highest bit says that there
   * are more. From the upper bits on: the kind, how the fourth word is written and how the third,
   * and {@link #AS_BEFORE}. Unless that is set, the lower word and the context follow, and then the
   * words that are written out.
   *
   * <p>Packing looks up what followed the last time that the context and the kind of the record
   * before were these: a table of {@link #FOLLOWERS} places, each of four words like a record.
   */
  public static final int PACKED_KIND_SHIFT = 5;

  public static final int FOURTH_SHIFT = 3;
  public static final int THIRD_SHIFT = 1;
  public static final int WORD_MASK = 3;

  /** Context, kind and lower word are those that followed the last time. */
  public static final int AS_BEFORE = 1;

  public static final int FOLLOWERS = 1 << 12;

  /** The place: the upper bits of (context * MIX + the word with the kind) * MIX_ALL. */
  public static final int MIX = 0x9E37_79B9;

  public static final int MIX_ALL = 0x85EB_CA6B;
  public static final int FOLLOWER_SHIFT = 20;

  /** The third word is that which followed the last time. */
  public static final int SAME = 0;

  /** It is the highest number that a third word had in the chunk. */
  public static final int NEWEST = 1;

  /** It is the next one. */
  public static final int NEXT = 2;

  /**
   * A word is written out: the fourth of the kinds below {@link #STORED} as it is, and others as
   * how much less they are than the highest, times two, or minus that and one, times two, plus 1.
   */
  public static final int WRITTEN = 3;

  /** The fourth word is 0; if not {@link #NEWEST} or {@link #WRITTEN}, as the last time. */
  public static final int ZERO = 0;

  public static final int SAME_FOURTH = 2;

  /**
   * Places for contexts: the upper bits of context * MIX, and 1 of 0. A byte says where the context
   * is; 0: four bytes follow.
   */
  public static final int CONTEXTS = 256;

  public static final int CONTEXT_SHIFT = 24;

  /** Most bytes of a packed record. */
  public static final int MOST_RECORD = 1 + 5 + 5 + 5 + 5;

  private LifetimeLayout() {}
}
