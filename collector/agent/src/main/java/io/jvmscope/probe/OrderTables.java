package io.jvmscope.probe;

import static jdk.internal.perf.ArenaLayout.CELLS;
import static jdk.internal.perf.ArenaLayout.CELLS_SLOT;
import static jdk.internal.perf.ArenaLayout.CELL_BYTES;
import static jdk.internal.perf.ArenaLayout.CELL_CHANGES;
import static jdk.internal.perf.ArenaLayout.CELL_EXECUTIONS;
import static jdk.internal.perf.ArenaLayout.CELL_TARGET_CHANGES;
import static jdk.internal.perf.ArenaLayout.METHOD;
import static jdk.internal.perf.ArenaLayout.ROOT_CELLS_SLOT;
import static jdk.internal.perf.ArenaLayout.TABLE;
import static jdk.internal.perf.ArenaLayout.TABLE_CAPACITY;
import static jdk.internal.perf.ArenaLayout.TABLE_LINKS;

import io.jvmscope.arena.Arena;
import io.jvmscope.arena.Methods;
import io.jvmscope.arena.ThreadRoot;
import io.jvmscope.tables.FrameWriter;
import io.jvmscope.tables.Int32Column;
import io.jvmscope.tables.Int64Column;
import io.jvmscope.tables.Table;
import java.io.IOException;
import java.util.Arrays;

/**
 * Writes tables {@code call_order} and {@code branch_order} from the cells of each thread. A
 * method's cells are one for each site that has a slot, then one for each conditional branch and
 * switch: executions; of a site the misses by receiver and by target, of a branch the changes of
 * direction.
 */
final class OrderTables implements ProbeTables {
  private static final int FIRST_SITE_SLOT = CELLS_SLOT + 1;

  private final Arena arena;
  private final Methods methods;
  private final int share;

  private final Int32Column callThread = new Int32Column("thread_id");
  private final Int32Column callSite = new Int32Column("call_site_id");
  private final Int64Column calls = new Int64Column("n_calls");
  private final Int64Column receiverMisses = new Int64Column("n_receiver_misses");
  private final Int64Column targetMisses = new Int64Column("n_target_misses");
  private final Table callTable; // null where contexts folded: then callers are not known

  private final Int32Column branchThread = new Int32Column("thread_id");
  private final Int32Column instruction = new Int32Column("instruction_id");
  private final Int64Column executions = new Int64Column("n_executions");
  private final Int64Column changes = new Int64Column("n_changes");
  private final Table branchTable;

  private long[] found = new long[64]; // canonical method, link
  private int count;

  OrderTables(Recording recording, Probe probe) throws IOException {
    arena = recording.arena();
    methods = recording.methods();
    share = recording.indexOf(probe);
    FrameWriter out = recording.out();
    callTable =
        recording.hasFolded()
            ? null
            : new Table(
                out, "call_order", callThread, callSite, calls, receiverMisses, targetMisses);
    branchTable = new Table(out, "branch_order", branchThread, instruction, executions, changes);
  }

  @Override
  public void write(ThreadRoot root, int thread) throws IOException {
    count = 0;
    long steps = 0;
    int link = arena.child(root.address() + Arena.slot(ROOT_CELLS_SLOT));
    while (link != 0) {
      long at = Arena.address(link);
      if (arena.getInt(at + METHOD) == TABLE) {
        for (int i = 0; i < arena.getInt(at + TABLE_CAPACITY); i++) {
          add(arena.getInt(at + TABLE_LINKS + 4L * i));
        }
      } else {
        add(link);
      }
      link = arena.next(at, ++steps);
    }
    Arrays.sort(found, 0, count);
    for (int i = 0; i < count; i++) {
      write(thread, (int) (found[i] >>> 32), Arena.address((int) found[i]));
    }
  }

  private void add(int link) {
    if (link == 0) {
      return;
    }
    int id = methods.id(arena.getInt(Arena.address(link) + METHOD));
    if (id >= 0) {
      if (count == found.length) {
        found = Arrays.copyOf(found, 2 * count);
      }
      found[count++] = (long) id << 32 | link & 0xFFFF_FFFFL;
    }
  }

  private void write(int thread, int id, long cells) throws IOException {
    int number = arena.getInt(cells + METHOD);
    int layout = methods.layout(number);
    int[] packed = methods.packed();
    int end = methods.sitesEnd(layout);
    int slots = 0;
    for (int site = methods.sitesStart(layout); site < end; site += Methods.SITE_INTS) {
      int slot = packed[site];
      if (slot < 0) {
        continue;
      }
      slots++;
      long cell = cells + CELLS + (long) CELL_BYTES * (slot - FIRST_SITE_SLOT);
      long n = arena.getLong(cell + CELL_EXECUTIONS);
      boolean isDispatched = (packed[site + 3] & Methods.VIRTUAL) != 0;
      // Its cell has what methods called that are not instrumented, and not those themselves.
      boolean hasUnseen = methods.hasUnseen(number, slot);
      if (n != 0 && callTable != null && isDispatched && !hasUnseen) {
        callThread.add(thread);
        callSite.add(methods.site(id, packed[site + 1]));
        calls.add(n);
        receiverMisses.add(arena.getLong(cell + CELL_CHANGES));
        targetMisses.add(arena.getLong(cell + CELL_TARGET_CHANGES));
        callTable.endRow();
      }
    }
    writeBranches(thread, methods.share(layout, share), cells + CELLS + (long) CELL_BYTES * slots);
  }

  private void writeBranches(int thread, int keys, long cells) throws IOException {
    long cell = cells;
    int[] packed = methods.packed();
    for (int i = 1; i <= packed[keys]; i++, cell += CELL_BYTES) {
      long n = arena.getLong(cell + CELL_EXECUTIONS);
      if (n != 0) {
        branchThread.add(thread);
        instruction.add(packed[keys + i]);
        executions.add(n);
        changes.add(arena.getLong(cell + CELL_CHANGES));
        branchTable.endRow();
      }
    }
  }

  @Override
  public void finish() throws IOException {
    if (callTable != null) {
      callTable.finish();
    }
    branchTable.finish();
  }
}
