package io.jvmscope.probe;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the methods of a user's own probe that are for the end, in a thread that is left to itself
 * if they do not end: what they do harms no other table.
 */
final class SnippetEnds {
  private static final String TOO_LONG = "took more than 20 s, and 1 ms for each context";

  private final List<Snippet> snippets;
  private SnippetClassLoader classes; // null: no method runs any more
  private long leftNanos = TimeUnit.SECONDS.toNanos(20);
  private volatile Snippet running;

  private SnippetEnds(Snippets probe, List<Snippet> snippets) {
    this.snippets = snippets;
    this.classes = new SnippetClassLoader(probe.preparedIn());
  }

  /** Those of a probe; null: it has none. */
  static SnippetEnds of(Snippets probe) {
    List<Snippet> found = new ArrayList<>();
    for (Snippet snippet : probe.snippets()) {
      if (snippet.isAtEnd()) {
        found.add(snippet);
      }
    }
    return found.isEmpty() ? null : new SnippetEnds(probe, found);
  }

  /**
   * Runs the methods for contexts; what they counted is then in these. If they take too long, none
   * of these contexts has anything, and no method runs again.
   */
  List<EndedContext> run(List<EndedContext> contexts) throws InterruptedException {
    if (classes == null) {
      return List.of();
    }
    SnippetClassLoader loader = classes;
    FutureTask<Void> task = new FutureTask<>(() -> runAll(contexts, loader), null);
    Thread thread = new Thread(null, task, "methods at the end");
    thread.setDaemon(true);
    leftNanos += TimeUnit.MILLISECONDS.toNanos(contexts.size());
    long begun = System.nanoTime();
    thread.start();
    try {
      task.get(leftNanos, TimeUnit.NANOSECONDS);
      leftNanos -= System.nanoTime() - begun;
      return contexts;
    } catch (TimeoutException e) {
      classes = null;
      EndedContext failed = contexts.get(0).empty();
      failed.addFailure(running, TOO_LONG);
      return List.of(failed);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void runAll(List<EndedContext> contexts, SnippetClassLoader loader) {
    for (EndedContext context : contexts) {
      EndApi.NOW.set(context);
      for (Snippet snippet : snippets) {
        if (context.isThread() == snippet.point().equals("THREAD")) {
          running = snippet;
          run(snippet, context, loader);
        }
      }
    }
  }

  private void run(Snippet snippet, EndedContext context, SnippetClassLoader loader) {
    try {
      invoke(snippet, context, loader);
    } catch (OutOfMemoryError e) {
      classes = null; // what its classes hold is given back
      context.addFailure(snippet, e);
    } catch (Throwable e) {
      context.addFailure(snippet, e);
    }
  }

  private static void invoke(Snippet snippet, EndedContext context, SnippetClassLoader loader)
      throws Throwable {
    try {
      Class<?> owner = Class.forName(SnippetClassLoader.nameOf(snippet.owner()), true, loader);
      boolean isTold = snippet.parameters().length > 0;
      Class<?>[] types = isTold ? new Class<?>[] {EndApi.Context.class} : new Class<?>[0];
      Method method = owner.getDeclaredMethod(snippet.method(), types);
      method.setAccessible(true);
      method.invoke(null, isTold ? new Object[] {new EndApi.Context(context)} : new Object[0]);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
