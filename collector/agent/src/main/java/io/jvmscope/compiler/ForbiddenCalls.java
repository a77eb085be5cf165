package io.jvmscope.compiler;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What snippets must not call: it would change what the program does, or what is recorded of it.
 */
final class ForbiddenCalls {
  private static final String THREADS = "threads, locks and processes are the program's";
  private static final String OUTSIDE = "files, sockets and the system are the program's";
  private static final String REFLECTION =
      "it would load classes, or keep objects or threads alive";
  private static final String HASHES =
      "an object that is asked for its identity has it from then on";

  /** Members of a class that may be used although others of it may not. */
  private static final Set<String> ALLOWED =
      Set.of(
          "java/lang/Thread.currentThread",
          "java/lang/Thread.getName",
          "java/lang/Thread.getId",
          "java/lang/Thread.threadId",
          "java/lang/Thread.isVirtual",
          "java/lang/Thread.isDaemon",
          "java/lang/Thread.getPriority",
          "java/lang/System.arraycopy",
          "java/lang/System.nanoTime",
          "java/lang/System.currentTimeMillis",
          "java/lang/System.lineSeparator",
          "java/lang/Class.getName",
          "java/lang/Class.getSuperclass",
          "java/lang/Class.getComponentType",
          "java/lang/Class.getModifiers",
          "java/lang/Class.isArray",
          "java/lang/Class.isPrimitive",
          "java/lang/Class.isInterface",
          "java/lang/Class.isHidden",
          "java/lang/Class.isInstance",
          "java/lang/Class.isAssignableFrom",
          "java/lang/Class.cast",
          "java/lang/Class.desiredAssertionStatus",
          "java/io/File.getName",
          "java/io/File.getPath");

  private record Rule(Pattern members, String reason) {}

  private static final List<Rule> RULES =
      List.of(
          rule("java/lang/Object\\.(wait|notify|notifyAll)", THREADS),
          rule("java/lang/(Thread|ThreadGroup|InheritableThreadLocal|Process\\w*)\\..*", THREADS),
          rule("java/lang/ThreadLocal\\..*", THREADS + "; use a ThreadState"),
          rule("java/util/(Timer|TimerTask)\\..*", THREADS),
          rule(
              "java/util/concurrent/(locks/)?(?!Concurrent|CopyOnWrite|TimeUnit)\\w+\\..*",
              THREADS),
          rule("java/util/Collection\\.parallelStream", THREADS),
          rule("java/lang/System\\.identityHashCode|java/lang/Object\\.hashCode", HASHES),
          rule("java/util/IdentityHashMap\\..*", HASHES),
          rule("java/lang/(System|Runtime)\\..*", OUTSIDE),
          rule("java/io/(?!\\w*(Exception|Error)\\.).*|java/net/.*", OUTSIDE),
          rule("java/nio/(file|channels)/.*|java/util/(Scanner|Formatter)\\..*", OUTSIDE),
          rule("java/lang/(Class|ClassLoader|ClassValue|Module\\w*|StackWalker)\\..*", REFLECTION),
          rule("java/lang/(reflect|invoke|ref|module|foreign)/.*", REFLECTION),
          rule("java/util/(ServiceLoader|ResourceBundle|WeakHashMap)\\..*", REFLECTION));

  private static Rule rule(String members, String reason) {
    return new Rule(Pattern.compile(members), reason);
  }

  private ForbiddenCalls() {}

  /** Why a snippet must not use a member of a class; null: it may. */
  static String reason(String owner, String name) {
    String member = owner + "." + name;
    if (!ALLOWED.contains(member)) {
      for (Rule rule : RULES) {
        if (rule.members.matcher(member).matches()) {
          return rule.reason;
        }
      }
    }
    return null;
  }
}
