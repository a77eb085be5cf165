import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Arrays of arrays, copies that overlap, and copies that fail. */
public class Matrices {
  static final class Cell implements Comparable<Cell> {
    final int number;

    Cell(int number) {
      Watch.see(this);
      this.number = number;
    }

    @Override
    public int compareTo(Cell other) {
      return Integer.compare(number, other.number);
    }
  }

  static Cell[] cells(int n) {
    Cell[] cells = new Cell[n];
    for (int k = 0; k < n; k++) {
      cells[k] = new Cell(k * 5 % n);
    }
    return cells;
  }

  static void nested() {
    Cell[][] rows = new Cell[3][];
    Arrays.setAll(rows, k -> cells(k + 1));
    Watch.tick();
    rows[0] = rows[2];
    rows[1][1] = null;
    Watch.tick();
    rows[2] = null;
    Cell[] row = rows[0];
    rows = null;
    Watch.tick();
    row[0] = null;
    Watch.tick();
    Cell[][][] cube = new Cell[2][2][2];
    for (Cell[][] plane : cube) {
      for (Cell[] line : plane) {
        line[1] = new Cell(9);
      }
    }
    Watch.tick();
    cube[1][0] = cube[0][1];
    Watch.tick();
    cube[0] = null;
    Watch.tick();
  }

  static void copies() {
    Cell[] cells = cells(8);
    System.arraycopy(cells, 0, cells, 2, 5);
    Watch.tick();
    System.arraycopy(cells, 3, cells, 0, 4);
    Watch.tick();
    Object[] others = new Object[4];
    System.arraycopy(cells, 4, others, 1, 3);
    cells = null;
    Watch.tick();
    Cell[] half = Arrays.copyOf(others, 3, Cell[].class);
    others = null;
    Watch.tick();
    half = null;
    Watch.tick();
  }

  /** Elements before the one that does not fit are copied. */
  static void misfits() {
    Object[] from = {new Cell(1), new Cell(2), "none", new Cell(3)};
    Cell[] to = new Cell[4];
    try {
      System.arraycopy(from, 0, to, 0, 4);
    } catch (ArrayStoreException e) {
      from = null;
      Watch.tick();
    }
    Object[] strings = new String[1];
    try {
      strings[0] = new Cell(4);
    } catch (ArrayStoreException e) {
      to[0] = null;
      Watch.tick();
    }
    to = null;
    Watch.tick();
  }

  static void clones() {
    Cell[][] rows = {cells(2), cells(3)};
    Cell[][] copy = rows.clone();
    rows[0] = null;
    Watch.tick();
    rows = null;
    copy[1] = null;
    Watch.tick();
    copy = null;
    Watch.tick();
  }

  static void sorted() {
    Cell[] cells = cells(6);
    Arrays.sort(cells);
    cells[5] = null;
    Watch.tick();
    List<Cell> list = Arrays.asList(cells);
    Collections.reverse(list);
    cells[0] = cells[1];
    cells = null;
    Watch.tick();
    Collections.fill(list.subList(0, 3), null);
    Watch.tick();
    list = null;
    Watch.tick();
  }

  static Cell last(Cell... cells) {
    Watch.tick();
    return cells[cells.length - 1];
  }

  static int sum(int one, Cell cell, int other) {
    return one + cell.number + other;
  }

  static int tick() {
    Watch.tick();
    return 1;
  }

  static void operands() {
    Cell[] cells = cells(4);
    cells[tick()] = last(new Cell(1), cells[0], new Cell(2));
    cells[0] = cells[cells.length - tick()] = new Cell(7);
    int[] sums = new int[3];
    sums[tick()] += sum(tick(), new Cell(3), tick());
    sums[sum(0, new Cell(0), 0)] = sum(tick(), cells[tick()], 0);
    cells = null;
    long[] wide = {1, 2, sum(tick(), new Cell(5), tick())};
    System.out.println(Arrays.toString(sums) + wide[2]);
    Watch.tick();
  }

  public static void main(String[] args) throws Exception {
    Watch.begin(args);
    nested();
    copies();
    misfits();
    clones();
    sorted();
    operands();
    Watch.end();
  }
}
