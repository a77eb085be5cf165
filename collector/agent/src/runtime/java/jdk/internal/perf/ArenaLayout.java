package jdk.internal.perf;

/**
 * Where things lie in the arena, in bytes, little-endian. The runtime, the agent and {@code
 * io.jvmscope.dump} are compiled with these constants, which {@code collector/arena.py} is tested
 * against; whatever is not a constant here only java.base can name. What a single class uses, that
 * class says.
 *
 * <p>A <em>link</em> is a distance from the arena's start in units of eight bytes, unsigned, 0 for
 * none. Slot k of a node is a link at -4 (k + 1) from it; one without children holds EMPTY + k.
 */
public final class ArenaLayout {
  // ---- the header

  /** "JVSCWEN1", at the start. */
  public static final long MAGIC = 0x314E_4557_4353_564AL;

  public static final int VERSION = 1;
  public static final int VERSION_AT = 8;
  public static final int STATE = 12;
  public static final int EXIT_STATUS = 16;
  public static final int FLAGS = 20;

  /** 64 bits: bytes used, header included. */
  public static final int TOP = 24;

  /** 64 bits: link of the thread root made last. */
  public static final int LAST_ROOT = 32;

  public static final int ROOT_COUNT = 40;
  public static final int JAVA_VERSION = 44;

  /** How many classes have a number. */
  public static final int CLASS_COUNT = 48;

  public static final int PROBES = 56;

  /** 64 bits. */
  public static final int PID = 64;

  /** Link of the last class whose objects are watched. */
  public static final int WATCHED_CLASSES = 72;

  /** Link of the last field that is watched. */
  public static final int WATCHED_FIELDS = 76;

  // How the VM lays out objects, if that was recorded; all 32 bits.
  public static final int OBJECT_ALIGNMENT = 80;

  /** Where the elements of a byte array begin. */
  public static final int ARRAY_BASE = 84;

  public static final int REFERENCE_BYTES = 88;

  /** What is left free around fields that are {@code @Contended}. */
  public static final int CONTENDED_PADDING = 92;

  public static final int LAYOUT_FLAGS = 96;

  /** Are classes of the program {@code @Contended}, too? */
  public static final int CONTENDS_ALL = 1;

  /** Do fields never go into gaps between those of superclasses? */
  public static final int KEEPS_GAPS = 2;

  /** Link of the last class whose objects were locked or hashed. */
  public static final int USED_CLASSES = 100;

  /** Link of the last class that has objects from before objects were watched. */
  public static final int EARLY_CLASSES = 104;

  /** 64 bits: how often there was no room for what is known of a class or an object. */
  public static final int WITHOUT_ROOM = 112;

  public static final int HEADER_BYTES = 4096;

  // ---- states: how the VM ended

  /** While it runs, and after it was killed. */
  public static final int RUNNING = 0;

  /** The last thread of the program ended. */
  public static final int SHUT_DOWN = 1;

  /** By exit, halt or a signal that it handles; {@link #EXIT_STATUS} says which. */
  public static final int HALTED = 2;

  // ---- flags of the header: why the recording is not the whole tree

  public static final int FOLDED = 1;
  public static final int DISK_FULL = 2;
  public static final int LOG_FULL = 4;
  public static final int STARTED_LATE = 8;
  public static final int EDGES_LOST = 16;

  /** No more than that: a snippet failed, and there was no room to say which. */
  public static final int FAILURE_LOST = 32;

  /** Nor this: the VM told of all entries of monitors that had to wait. */
  public static final int SAW_CONTENTION = 64;

  // ---- a node: slots, from its address on a head, counters

  /** The agent's id of the method, or one of the ids below that are none. */
  public static final int METHOD = 0;

  /** Link of the next child at the same slot. */
  public static final int NEXT = 4;

  /** Link of the parent. */
  public static final int PARENT = 8;

  /** In the place of the parent once the dump has sorted the tree: contexts of the subtree. */
  public static final int SIZE = PARENT;

  /** Number of the slot in the parent; flags above its 16 bits. */
  public static final int PLACE = 12;

  /** The first counter, of 64 bits; counter 0 holds the calls. */
  public static final int COUNTERS = 16;

  /** Flag of a place: calls of other contexts are counted here. */
  public static final int IS_FOLDED = 1 << 16;

  /** Flag of a place, set by the dump: some slot of the node holds a proxy. */
  public static final int HAS_PROXIES = 1 << 24;

  // ---- ids in the place of a method's

  /** Swallows what is not recorded. */
  public static final int SINK = -2;

  /** The root of a thread. */
  public static final int ROOT = -3;

  /** A table of the children of one slot. */
  public static final int TABLE = -4;

  /** An edge that was folded. */
  public static final int PROXY = -5;

  /** The calls that objects of one class received, in a chain of such. */
  public static final int RECEIVER = -6;

  /** A node that the dump merged into another, whose link is in the place of the parent. */
  public static final int MERGED = -16;

  // ---- a table, beyond the head that it shares with nodes

  public static final int TABLE_CAPACITY = 16;
  public static final int TABLE_USED = 20;
  public static final int TABLE_LINKS = 24;

  // ---- a proxy

  public static final int PROXY_CALLS = 16;

  /** Link of the node that the calls are counted in. */
  public static final int PROXY_TARGET = 24;

  public static final int PROXY_METHOD = 28;
  public static final int PROXY_BYTES = 32;

  // ---- calls by the class of their receiver

  public static final int RECEIVER_CALLS = 16;

  /** The number of the class. */
  public static final int RECEIVER_CLASS = 24;

  public static final int RECEIVER_BYTES = 32;

  // ---- objects that a site made, by what stands in the place of a method's id

  /** How many; of a class whose objects are arrays the slot in front leads to their lengths. */
  public static final int ALLOCATED = 16;

  public static final int ALLOCATED_BYTES = 24;

  // ---- the root of a thread

  /** 64 bits: link of the root made before. */
  public static final int ROOT_PREVIOUS = 16;

  public static final int ROOT_START_ORDER = 24;
  public static final int ROOT_KIND = 28;

  /** 64 bits. */
  public static final int ROOT_TID = 32;

  public static final int ROOT_NAME_LENGTH = 40;
  public static final int ROOT_FLAGS = 44;

  /** In UTF-16. */
  public static final int ROOT_NAME = 48;

  /** Longer names are cut off, in UTF-16 units. */
  public static final int ROOT_NAME_MOST = 255;

  /** The slot of the methods with which the thread began. */
  public static final int ROOT_SLOT = 0;

  /** The slot of one node a method for the contexts that found no room. */
  public static final int ROOT_OVERFLOW_SLOT = 1;

  /** The slot of the cells of the thread's methods. */
  public static final int ROOT_CELLS_SLOT = 2;

  /** The slot of the thread's method cache. */
  public static final int ROOT_CACHE_SLOT = 3;

  public static final int ROOT_SLOTS = 4;

  /** A root's slot of what snippets keep for the thread; it lies apart from the others. */
  public static final int ROOT_STATES_SLOT = 6;

  /** What snippets keep has numbers from here on, where what they count has those of keys. */
  public static final int FIRST_STATE = 1 << 30;

  // Kinds and flags of a thread.
  public static final int PLATFORM = 0;
  public static final int VIRTUAL = 1;
  public static final int VM_INTERNAL = 1;
  public static final int DAEMON = 2;

  // ---- the cells of a method in one thread: what its sites and branches did last

  /** The slot that leads from a node to its method's cells. */
  public static final int CELLS_SLOT = 1;

  /** The first cell: one for each site that has a slot, then one for each branch. */
  public static final int CELLS = 16;

  public static final int CELL_BYTES = 32;

  // In a cell: how often; how often another receiver or way; how often another target; the last.
  public static final int CELL_EXECUTIONS = 0;
  public static final int CELL_CHANGES = 8;
  public static final int CELL_TARGET_CHANGES = 16;
  public static final int CELL_LAST = 24;
  public static final int CELL_LAST_TARGET = 28;

  // ---- the counters of a method cache in a node: pairs of hits and misses

  public static final int CACHE_CALLS = 0;
  public static final int CACHE_RETURNS = 16;
  public static final int CACHE_CATCHES = 32;
  public static final int CACHE_BYTES = 48;

  // ---- a class whose objects are watched

  /** The number of the class. */
  public static final int WATCHED_CLASS = 0;

  /** Link of the class before. */
  public static final int WATCHED_PREVIOUS = 4;

  /** How many fields its objects have that are watched, inherited ones too. */
  public static final int WATCHED_SIZE = 8;

  /**
   * The number of the thread that counted here first; 0: none yet. It alone changes the counts
   * below. Those of all other threads are behind them, in the same order.
   */
  public static final int OWNER = 12;

  /** Where objects have the word of their birth, and that of their fields' counts. */
  public static final int BIRTH_OFFSET = 16;

  public static final int COUNTS_OFFSET = 20;

  /** The agent's number of the first method of the class; 0 if not known. */
  public static final int FIRST_METHOD = 24;

  /** The number behind its last method. */
  public static final int END_METHOD = 28;

  /** 64 bits: address of the table that leads from offsets to fields; 0 until it is needed. */
  public static final int BY_OFFSET = 32;

  /** 64 bits: objects whose birth was seen. */
  public static final int BIRTHS = 40;

  /** 64 bits: objects that were accessed, but whose birth was not seen. */
  public static final int UNSEEN = 48;

  /** 64 bits for each category of objects: see {@link #CATEGORIES}. */
  public static final int OBJECTS = 56;

  /**
   * The number of categories of objects: in the lowest two bits whether no field was accessed, some
   * were, all are immutable, or one is mutable; in the next two whether no field, some or all are
   * read-shared; in the next two the same for write-shared; then whether the object was locked.
   */
  public static final int CATEGORIES = 128;

  /** From a count of the owner to that of the others. */
  public static final int OTHER_OBJECTS = OBJECTS + 8 * CATEGORIES - BIRTHS;

  /** The offsets of the words of the fields follow. */
  public static final int WATCHED_OFFSETS = BIRTHS + 2 * OTHER_OBJECTS;

  // ---- a class with objects from before objects were watched: class and link as above

  /** 64 bits. */
  public static final int EARLY_OBJECTS = 8;

  public static final int EARLY_BYTES = 16;

  // ---- a field that is watched: class, link and owner as of a class

  /** Which of the instance fields that its class declares, from 0. */
  public static final int FIELD_INDEX = 8;

  /** 64 bits for each state: see {@link #STATES}. */
  public static final int FIELD_OBJECTS = 16;

  /**
   * The number of states of a field: bit 0 whether the first access wrote, bit 1 whether it is
   * mutable, bit 2 whether it is read-shared, bit 3 whether it is write-shared.
   */
  public static final int STATES = 16;

  /** As {@link #OTHER_OBJECTS}. */
  public static final int OTHER_FIELDS = 8 * STATES;

  public static final int FIELD_BYTES = FIELD_OBJECTS + 2 * OTHER_FIELDS;

  // ---- a class whose objects were locked or hashed: class and link as of one that is watched

  /** Where objects have the word of their locking; -1: not in themselves. */
  public static final int LOCK_OFFSET = 8;

  /** The same of the word of their hash codes. */
  public static final int HASH_OFFSET = 12;

  /** How often a thread had one monitor at most. */
  public static final int DEEPEST = 16;

  // All that follows has 64 bits. Entries by monitorenter, and by synchronized methods.
  public static final int BLOCK_ENTRIES = 24;

  public static final int METHOD_ENTRIES = 32;
  public static final int WAITS = 40;
  public static final int NOTIFICATIONS = 48;

  /** Objects that several threads locked. */
  public static final int SEVERAL_LOCKERS = 56;

  /** Objects by the number of operations on their monitors: 1, 2, 3 to 4, 5 to 8, and so on. */
  public static final int LOCKED_OBJECTS = 64;

  public static final int OPERATION_BINS = 33;

  /** Objects by the deepest nesting of entries by one thread, from 1 on; the last one: or more. */
  public static final int NESTED_OBJECTS = LOCKED_OBJECTS + 8 * OPERATION_BINS;

  public static final int DEPTHS = 64;

  /** Entries by the depth that they reached. */
  public static final int NESTED_ENTRIES = NESTED_OBJECTS + 8 * DEPTHS;

  /** Calls of a hashCode of the class's own, of identityHashCode, of the one of {@code Object}. */
  public static final int HASH_CALLS = NESTED_ENTRIES + 8 * DEPTHS;

  public static final int HASH_KINDS = 3;

  /** For each of them objects by the number of calls: 1, 2, 3 to 4, ...; the last one: or more. */
  public static final int HASHED_OBJECTS = HASH_CALLS + 8 * HASH_KINDS;

  public static final int HASH_BINS = 22;

  public static final int USE_BYTES = HASHED_OBJECTS + 8 * HASH_KINDS * HASH_BINS;

  // ---- beside the arena: a call of a counter with few keys

  /** Behind the number of keys, up to 3: the first is an object. */
  public static final int FIRST_IS_OBJECT = 4;

  public static final int SECOND_IS_OBJECT = 8;

  // ---- what is where

  /** The most slots that a node may have, and the most counters. */
  private static final int MOST = 65_536;

  /**
   * An empty slot k holds the link EMPTY + k: it leads into a stretch of zeros, which no method id
   * equals, and tells where the slot's node is. A link from {@link #FIRST_LINK} on is a child.
   */
  public static final int EMPTY = HEADER_BYTES >> 3;

  private static final int SINK_START = HEADER_BYTES + (MOST << 3);

  /** A node that swallows: room for the slots and counters of any method. */
  public static final int SINK_NODE = SINK_START + (MOST << 2);

  /** Nodes begin here. */
  public static final int FIRST_NODE = SINK_NODE + COUNTERS + (MOST << 3);

  /** Links from this one on lead somewhere. */
  public static final int FIRST_LINK = FIRST_NODE >> 3;

  private ArenaLayout() {}
}
