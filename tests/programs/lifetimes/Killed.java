/** Ends itself in a way that the VM does not notice, in the middle of a call whose operands wait. */
public class Killed {
  static final class Held {}
  static final class Operand {}
  static final class Gone {}

  static void tick() {
    byte[] bytes = new byte[(1 << 20) - 16];
  }

  static int kill() throws Exception {
    Object gone = new Gone();
    tick();
    gone = null;
    tick();
    new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start().waitFor();
    Thread.sleep(1_000_000);
    return 0;
  }

  static int use(Object object, int number) {
    return object == null ? 0 : number;
  }

  public static void main(String[] args) throws Exception {
    Object held = new Held();
    use(new Operand(), kill());
    use(held, 1);
  }
}
