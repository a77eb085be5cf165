package io.jvmscope.agent;

import io.jvmscope.consumer.TreeConsumer;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** The user's consumer of trees: how it is loaded, called, and kept from harming the program. */
final class Consumers {
  private final TreeConsumer consumer;
  private final ClassLoader loader;
  private final LivePlans plans;
  private final Messages messages;
  private volatile boolean hasFailed;

  private Consumers(TreeConsumer consumer, ClassLoader loader, LivePlans plans, Messages messages) {
    this.consumer = consumer;
    this.loader = loader;
    this.plans = plans;
    this.messages = messages;
  }

  /**
   * The consumer that the options name.
   *
   * @throws IllegalArgumentException it cannot be made, which ends the VM before {@code main}
   */
  static Consumers of(AgentOptions options, LivePlans plans, Messages messages) {
    try {
      ClassLoader loader =
          new URLClassLoader(path(options.consumerPath), Agent.class.getClassLoader());
      Object made =
          Class.forName(options.consumer, true, loader).getDeclaredConstructor().newInstance();
      return new Consumers((TreeConsumer) made, loader, plans, messages);
    } catch (ReflectiveOperationException
        | LinkageError
        | ClassCastException
        | MalformedURLException e) {
      throw new IllegalArgumentException("jvmscope: consumer " + options.consumer + ": " + e, e);
    }
  }

  private static URL[] path(String text) throws MalformedURLException {
    List<URL> found = new ArrayList<>();
    for (String part : text.split(File.pathSeparator)) {
      if (!part.isEmpty()) {
        found.add(new File(part).toURI().toURL());
      }
    }
    return found.toArray(new URL[0]);
  }

  /** Was a class loaded for the consumer? */
  boolean owns(ClassLoader other) {
    return other == loader;
  }

  /** Has the consumer look at the tree below a root. */
  void accept(long root) {
    if (hasFailed) {
      return;
    }
    try {
      consumer.accept(LiveContext.root(plans, root));
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** The VM ends. */
  void end() {
    if (hasFailed) {
      return;
    }
    try {
      consumer.end();
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void fail(Throwable error) {
    hasFailed = true;
    messages.println(
        "consumer " + consumer.getClass().getName() + " is not called again: " + error);
  }
}
