package jdk.internal.perf;

import static jdk.internal.perf.ArenaLayout.FIRST_LINK;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.NEXT;
import static jdk.internal.perf.ArenaLayout.PARENT;
import static jdk.internal.perf.ArenaLayout.RECEIVER;
import static jdk.internal.perf.ArenaLayout.RECEIVER_BYTES;
import static jdk.internal.perf.ArenaLayout.RECEIVER_CALLS;
import static jdk.internal.perf.ArenaLayout.RECEIVER_CLASS;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Counts calls by the class of their receiver: a chain of counts at a slot of the callee's node.
 */
public final class ReceiverProbe {
  private static final Unsafe U = Unsafe.getUnsafe();

  private ReceiverProbe() {}

  /**
   * Counts a call; the callee says it.
   *
   * @param distance of the slot from the callee's node
   */
  @ForceInline
  @Hidden
  public static void receive(Object receiver, long node, int distance) {
    int type = ClassWord.number(receiver.getClass());
    long count = Arena.base + ((U.getInt(null, node + distance) & 0xFFFFFFFFL) << 3);
    if (type == 0 || U.getInt(null, count + RECEIVER_CLASS) != type) {
      count = countOf(receiver.getClass(), node, node + distance);
    }
    if (count != 0L) {
      U.putLong(null, count + RECEIVER_CALLS, U.getLong(null, count + RECEIVER_CALLS) + 1L);
    }
  }

  @DontInline
  @Hidden
  private static long countOf(Class<?> type, long node, long slot) {
    if (Arena.isSink(slot)) {
      return 0L;
    }
    int number = ClassWord.numberOf(type);
    long first = Arena.linkAt(slot);
    for (long link = first; link >= FIRST_LINK; ) {
      long count = Arena.at(link);
      if (U.getInt(null, count + RECEIVER_CLASS) == number) {
        return count;
      }
      link = Arena.linkAt(count + NEXT);
    }
    long count = Arena.allocate(RECEIVER_BYTES);
    if (count != 0L) {
      U.putInt(null, count + METHOD, RECEIVER);
      U.putInt(null, count + PARENT, Arena.linkTo(node));
      U.putInt(null, count + RECEIVER_CLASS, number);
      U.putInt(null, count + NEXT, first < FIRST_LINK ? 0 : (int) first);
      Children.publish(slot, count);
    }
    return count;
  }
}
