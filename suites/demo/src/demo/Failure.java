package demo;

/** What {@code fail} raises, and what the interpreter raises for a mistake in the script. */
final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1;

  Failure(String message) {
    super(message);
  }
}
