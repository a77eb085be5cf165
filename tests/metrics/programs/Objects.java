/** Two points, one of which changes, an object without fields, and a thread. */
public class Objects {
  static final class Point {
    final int x;
    int y;
    Object name;

    Point(int x) {
      this.x = x;
    }
  }

  static final class Bare {}

  static final class Work extends Thread { // fields of Thread itself are not watched
    final Point changed;
    final Point kept;
    int done;

    Work(Point changed, Point kept) {
      this.changed = changed;
      this.kept = kept;
    }

    @Override
    public void run() {
      changed.y = kept.x; // main wrote y and reads x
      done = 1;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Point changed = new Point(1);
    changed.y = 2;
    Point kept = new Point(3);
    Work work = new Work(changed, kept);
    work.start();
    work.join();
    if (kept.name == null && kept.y == 0) {
      System.out.println(kept.x);
    }
    new Bare();
  }
}
