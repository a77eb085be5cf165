package io.jvmscope.probe;

import static jdk.internal.perf.LifetimeLayout.AS_BEFORE;
import static jdk.internal.perf.LifetimeLayout.CHUNK;
import static jdk.internal.perf.LifetimeLayout.CONTEXTS;
import static jdk.internal.perf.LifetimeLayout.CONTEXT_SHIFT;
import static jdk.internal.perf.LifetimeLayout.FOLLOWERS;
import static jdk.internal.perf.LifetimeLayout.FOLLOWER_SHIFT;
import static jdk.internal.perf.LifetimeLayout.FOURTH_SHIFT;
import static jdk.internal.perf.LifetimeLayout.KIND_SHIFT;
import static jdk.internal.perf.LifetimeLayout.LOWER;
import static jdk.internal.perf.LifetimeLayout.MIX;
import static jdk.internal.perf.LifetimeLayout.MIX_ALL;
import static jdk.internal.perf.LifetimeLayout.MOST_RECORD;
import static jdk.internal.perf.LifetimeLayout.NEWEST;
import static jdk.internal.perf.LifetimeLayout.NEXT;
import static jdk.internal.perf.LifetimeLayout.PACKED_KIND_SHIFT;
import static jdk.internal.perf.LifetimeLayout.RECORD;
import static jdk.internal.perf.LifetimeLayout.SAME;
import static jdk.internal.perf.LifetimeLayout.SAME_FOURTH;
import static jdk.internal.perf.LifetimeLayout.STORED;
import static jdk.internal.perf.LifetimeLayout.THIRD_SHIFT;
import static jdk.internal.perf.LifetimeLayout.WORD_MASK;
import static jdk.internal.perf.LifetimeLayout.ZERO;

import io.jvmscope.arena.RecordingDamaged;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads chunks of the log of lifetimes, packed by {@code LogPacker} or plain. */
final class LogUnpacker {
  /** Most bytes of a packed chunk. */
  static final int MOST_BYTES = CHUNK / RECORD * MOST_RECORD;

  private static final int WORDS = RECORD / 4;

  private final LifetimeFile.Records records;
  private final int[] followers = new int[WORDS * FOLLOWERS];
  private final int[] contexts = new int[CONTEXTS];
  private ByteBuffer in;

  LogUnpacker(LifetimeFile.Records records) {
    this.records = records;
  }

  /** Reads the packed chunk that a buffer begins with; returns its bytes. */
  int unpack(ByteBuffer buffer) throws IOException {
    try {
      return unpackWhole(buffer);
    } catch (BufferUnderflowException e) {
      throw new RecordingDamaged("lifetimes: the log ends within a chunk");
    }
  }

  private int unpackWhole(ByteBuffer buffer) throws IOException {
    Arrays.fill(followers, 0);
    Arrays.fill(contexts, 0);
    in = buffer;
    int seen = 0;
    int newest = 0;
    for (int k = 0; k < CHUNK / RECORD; k++) {
      int head = in.get() & 0xFF;
      if ((head & AS_BEFORE) == 0) {
        followers[seen + 1] = head >>> PACKED_KIND_SHIFT << KIND_SHIFT | number();
        followers[seen] = context();
      }
      int kind = followers[seen + 1] >>> KIND_SHIFT;
      followers[seen + 2] = third(head, newest, followers[seen + 2]);
      followers[seen + 3] = fourth(head, newest, followers[seen + 3], kind);
      records.record(
          followers[seen],
          kind,
          followers[seen + 1] & LOWER,
          followers[seen + 2],
          followers[seen + 3]);
      newest = Math.max(newest, followers[seen + 2]);
      seen = WORDS * followerPlace(followers[seen], followers[seen + 1]);
    }
    return in.position();
  }

  private int third(int head, int newest, int before) {
    return switch (head >>> THIRD_SHIFT & WORD_MASK) {
      case SAME -> before;
      case NEWEST -> newest;
      case NEXT -> newest + 1;
      default -> newest - difference();
    };
  }

  private int fourth(int head, int newest, int before, int kind) {
    return switch (head >>> FOURTH_SHIFT & WORD_MASK) {
      case ZERO -> 0;
      case NEWEST -> newest;
      case SAME_FOURTH -> before;
      default -> kind < STORED ? number() : newest - difference();
    };
  }

  private int context() {
    int place = in.get() & 0xFF;
    if (place != 0) {
      return contexts[place];
    }
    int context = in.getInt();
    contexts[contextPlace(context)] = context;
    return context;
  }

  private int difference() {
    int doubled = number();
    return doubled >>> 1 ^ -(doubled & 1);
  }

  private int number() {
    int number = 0;
    int shift = 0;
    int next = in.get();
    while (next < 0) {
      number |= (next & 0x7F) << shift;
      shift += 7;
      next = in.get();
    }
    return number | next << shift;
  }

  /** Reads records that are not packed, up to the first that is not whole; returns how many. */
  static int readPlain(ByteBuffer chunk, LifetimeFile.Records records) throws IOException {
    int count = 0;
    for (int at = 0; at + RECORD <= chunk.limit(); at += RECORD) {
      int word = chunk.getInt(at + 4);
      if (word == 0) {
        break;
      }
      records.record(
          chunk.getInt(at),
          word >>> KIND_SHIFT,
          word & LOWER,
          chunk.getInt(at + 8),
          chunk.getInt(at + 12));
      count++;
    }
    return count;
  }

  private static int followerPlace(int context, int word) {
    return (context * MIX + word) * MIX_ALL >>> FOLLOWER_SHIFT;
  }

  private static int contextPlace(int context) {
    int place = context * MIX >>> CONTEXT_SHIFT;
    return place == 0 ? 1 : place;
  }
}
