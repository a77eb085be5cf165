package io.jvmscope.agent;

import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACC_TRANSIENT;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARRAYLENGTH;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.DUP2;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.ICONST_1;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.LCONST_0;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.SWAP;

import java.util.List;
import java.util.Map;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * What the classes of java.util.concurrent do for logical clocks: who takes a message that is there
 * already goes on at the time of its sender; see {@code ClockMessages}. Locks carry no time, since
 * who comes first is chance.
 */
final class ClockMessageEdits {
  private static final String PACKAGE = "java/util/concurrent/";
  private static final String FUTURE = PACKAGE + "CompletableFuture";
  private static final String TASK = PACKAGE + "ForkJoinTask";
  private static final String ARRAY_QUEUE = PACKAGE + "ArrayBlockingQueue";
  private static final String PERMITS = "permits";
  private static final String TIMES = "times";

  /** The field of a message with the time at which it was sent. */
  static final String SENT = "sent";

  /** The field of a task with the time at which its result was. */
  static final String DONE = "done";

  /** The classes whose field {@code item} is a message, and within which it is read. */
  private static final Map<String, String> NODES =
      Map.of(
          PACKAGE + "LinkedBlockingQueue$Node", PACKAGE + "LinkedBlockingQueue",
          PACKAGE + "LinkedBlockingDeque$Node", PACKAGE + "LinkedBlockingDeque",
          PACKAGE + "ConcurrentLinkedQueue$Node", PACKAGE + "ConcurrentLinkedQueue",
          PACKAGE + "ConcurrentLinkedDeque$Node", PACKAGE + "ConcurrentLinkedDeque",
          PACKAGE + "LinkedTransferQueue$Node", PACKAGE + "LinkedTransferQueue",
          PACKAGE + "LinkedTransferQueue$DualNode", PACKAGE + "LinkedTransferQueue",
          PACKAGE + "SynchronousQueue$TransferStack$SNode", PACKAGE + "SynchronousQueue",
          PACKAGE + "SynchronousQueue$TransferQueue$QNode", PACKAGE + "SynchronousQueue",
          PACKAGE + "Exchanger$Node", PACKAGE + "Exchanger");

  /** Methods of nodes by which a thread gives an item to one that waits for it. */
  private static final List<String> GIVING = List.of("tryMatch", "casItem", "cmpExItem");

  private ClockMessageEdits() {}

  /** The edits of a class; empty if it passes no messages. */
  static List<ClassEdit> of(String className) {
    if (!className.startsWith(PACKAGE)) {
      return List.of();
    }
    if (NODES.containsKey(className)) {
      return List.of(ClockMessageEdits::editNode, ClockMessageEdits::editReaders);
    }
    return switch (className.substring(PACKAGE.length())) {
      case "FutureTask" -> List.of(ClockMessageEdits::editFutureTask);
      case "ForkJoinTask" -> List.of(ClockMessageEdits::editForkJoinTask);
      case "ForkJoinPool$WorkQueue" -> List.of(ClockMessageEdits::editWorkQueue);
      case "CompletableFuture" ->
          List.of(ClockMessageEdits::editFuture, ClockMessageEdits::editReaders);
      case "CountDownLatch" -> List.of(ClockMessageEdits::editLatch);
      case "CyclicBarrier" -> List.of(ClockMessageEdits::editBarrier);
      case "Semaphore" -> List.of(ClockMessageEdits::editSemaphore);
      case "ArrayBlockingQueue" -> List.of(ClockMessageEdits::editArrayQueue);
      case "ThreadPoolExecutor" ->
          List.of((tree, baseId) -> editExecutor(tree, "processWorkerExit"));
      case "ForkJoinPool" -> List.of((tree, baseId) -> editExecutor(tree, "deregisterWorker"));
      case "ThreadPerTaskExecutor" -> List.of((tree, baseId) -> editExecutor(tree, "taskComplete"));
      default -> isReader(className) ? List.of(ClockMessageEdits::editReaders) : List.of();
    };
  }

  private static boolean isReader(String className) {
    return className.startsWith(FUTURE) || NODES.containsValue(className.replaceFirst("[$].*", ""));
  }

  // ---- tasks and their results

  private static void editFutureTask(ClassNode tree, int baseId) {
    addField(tree, SENT, "J");
    addField(tree, DONE, "J");
    atEnd(tree, "<init>", send(tree.name, 0));
    atEntry(tree, receive(tree.name, SENT), "run", "runAndReset");
    atEntry(tree, first(tree.name), "set", "setException", "cancel");
    atEntry(tree, receive(tree.name, DONE), "report");
    atEnd(tree, "isDone", receiveIf(tree.name, DONE));
    atEnd(tree, "isCancelled", receiveIf(tree.name, DONE));
  }

  private static void editForkJoinTask(ClassNode tree, int baseId) {
    addField(tree, SENT, "J");
    addField(tree, DONE, "J");
    atEntry(tree, receive(tree.name, SENT), "doExec");
    atEntry(tree, first(tree.name), "setDone", "trySetCancelled", "trySetThrown");
    for (String name : List.of("join", "get", "invoke")) {
      atEnd(tree, name, receive(tree.name, DONE));
    }
    atEnd(Bodies.find(tree, "quietlyJoin", "()V"), receive(tree.name, DONE));
    atEnd(tree, "isDone", receiveIf(tree.name, DONE));
    // A task that is used anew has no result.
    InsnList forget = new InsnList();
    forget.add(new VarInsnNode(ALOAD, 0));
    forget.add(new InsnNode(LCONST_0));
    forget.add(put(tree.name, DONE, "J"));
    atEntry(tree, forget, "reinitialize");
  }

  /** Tasks are forked, and submitted from outside, by pushing them. */
  private static void editWorkQueue(ClassNode tree, int baseId) {
    for (MethodNode method : tree.methods) {
      if (method.name.endsWith("ush")
          && method.desc.startsWith("(L" + TASK + ";")
          && !method.name.startsWith("try")
          && !method.name.startsWith("external")) {
        insert(method, send(TASK, 1));
      }
    }
  }

  /** A result is set once, by whoever is the first; dependents and waiting threads read it. */
  private static void editFuture(ClassNode tree, int baseId) {
    addField(tree, DONE, "J");
    for (MethodNode method : tree.methods) {
      boolean isStatic = (method.access & ACC_STATIC) != 0;
      if (!isStatic && setsResult(method)) {
        insert(method, method.name.startsWith("obtrude") ? sendDone() : first(tree.name));
      }
    }
  }

  private static boolean setsResult(MethodNode method) {
    for (AbstractInsnNode i : method.instructions) {
      boolean isSet =
          i instanceof MethodInsnNode call
              && call.owner.equals("java/lang/invoke/VarHandle")
              && call.name.equals("compareAndSet")
              && call.desc.startsWith("(L" + FUTURE + ";Ljava/lang/Void;");
      boolean isPut =
          i instanceof FieldInsnNode put
              && put.getOpcode() == PUTFIELD
              && put.owner.equals(FUTURE)
              && put.name.equals("result");
      if (isSet || isPut && method.name.startsWith("obtrude")) {
        return true;
      }
    }
    return false;
  }

  private static InsnList sendDone() {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(call("now", "()J"));
    code.add(put(FUTURE, DONE, "J"));
    return code;
  }

  // ---- items of queues

  private static void editNode(ClassNode tree, int baseId) {
    addField(tree, SENT, "J");
    boolean isExchanged = tree.name.endsWith("Exchanger$Node");
    if (!isExchanged) {
      atEnd(tree, "<init>", send(tree.name, 0));
    }
    // In a stack of waiting threads whoever gives has a node of its own.
    boolean isGiven = !tree.name.contains("ConcurrentLinked") && !tree.name.endsWith("$SNode");
    for (MethodNode method : tree.methods) {
      if (isGiven && GIVING.contains(method.name)) {
        insert(method, send(tree.name, 0));
      }
    }
  }

  /** Whoever reads the field with a message takes its time. */
  private static void editReaders(ClassNode tree, int baseId) {
    for (MethodNode method : tree.methods) {
      boolean isEdited = false;
      for (AbstractInsnNode i : method.instructions.toArray()) {
        if (i instanceof FieldInsnNode field && isMessage(field)) {
          if (field.getOpcode() == GETFIELD) {
            editRead(method, field);
          } else {
            editExchange(method, field);
          }
          isEdited = true;
        }
      }
      if (isEdited) {
        method.maxStack += 5;
      }
    }
  }

  private static boolean isMessage(FieldInsnNode field) {
    boolean isRead = field.getOpcode() == GETFIELD;
    if (field.owner.endsWith("Exchanger$Node")) {
      boolean isGiven = field.name.equals("item") || field.name.equals("match");
      return isGiven && (isRead || field.getOpcode() == PUTFIELD);
    }
    boolean isItem = NODES.containsKey(field.owner) && field.name.equals("item");
    return isRead && (isItem || field.owner.equals(FUTURE) && field.name.equals("result"));
  }

  private static void editRead(MethodNode method, FieldInsnNode read) {
    String time = read.owner.equals(FUTURE) ? DONE : SENT;
    method.instructions.insertBefore(read, new InsnNode(DUP));
    InsnList code = new InsnList();
    code.add(new InsnNode(SWAP));
    code.add(get(read.owner, time, "J"));
    code.add(call("read", "(Ljava/lang/Object;J)Ljava/lang/Object;"));
    method.instructions.insert(read, code);
  }

  /** The nodes of an exchanger are used again, so their time is that of what is stored. */
  private static void editExchange(MethodNode method, FieldInsnNode write) {
    InsnList code = new InsnList();
    code.add(new InsnNode(DUP2));
    code.add(new InsnNode(POP));
    code.add(call("now", "()J"));
    code.add(put(write.owner, SENT, "J"));
    method.instructions.insertBefore(write, code);
  }

  private static void editArrayQueue(ClassNode tree, int baseId) {
    addField(tree, TIMES, "[J");
    InsnList keep = new InsnList();
    keep.add(new VarInsnNode(ALOAD, 0));
    keep.add(new InsnNode(DUP));
    keep.add(get(ARRAY_QUEUE, TIMES, "[J"));
    keep.add(new VarInsnNode(ALOAD, 0));
    keep.add(new FieldInsnNode(GETFIELD, ARRAY_QUEUE, "items", "[Ljava/lang/Object;"));
    keep.add(new InsnNode(ARRAYLENGTH));
    keep.add(new VarInsnNode(ALOAD, 0));
    keep.add(new FieldInsnNode(GETFIELD, ARRAY_QUEUE, "putIndex", "I"));
    keep.add(call("keptAt", "([JII)[J"));
    keep.add(put(ARRAY_QUEUE, TIMES, "[J"));
    atEntry(tree, keep, "enqueue");
    InsnList take = new InsnList();
    take.add(new VarInsnNode(ALOAD, 0));
    take.add(get(ARRAY_QUEUE, TIMES, "[J"));
    take.add(new VarInsnNode(ALOAD, 0));
    take.add(new FieldInsnNode(GETFIELD, ARRAY_QUEUE, "takeIndex", "I"));
    take.add(call("receivedAt", "([JI)V"));
    atEntry(tree, take, "dequeue");
    InsnList look = new InsnList();
    look.add(new VarInsnNode(ALOAD, 0));
    look.add(get(ARRAY_QUEUE, TIMES, "[J"));
    look.add(new VarInsnNode(ILOAD, 1));
    look.add(call("receivedAt", "([JI)V"));
    atEntry(tree, look, "itemAt");
  }

  // ---- latches, barriers, semaphores, ends of executors

  private static void editLatch(ClassNode tree, int baseId) {
    addField(tree, SENT, "J");
    atEntry(tree, latest(tree.name), "countDown");
    atEnd(Bodies.find(tree, "await", "()V"), receive(tree.name, SENT));
    InsnList inTime = receiveIf(tree.name, SENT);
    atEnd(Bodies.find(tree, "await", "(JLjava/util/concurrent/TimeUnit;)Z"), inTime);
  }

  /** The last to arrive, who waits for nobody, goes on at the time of the latest. */
  private static void editBarrier(ClassNode tree, int baseId) {
    addField(tree, SENT, "J");
    atEntry(tree, latest(tree.name), "dowait");
    for (MethodNode method : Bodies.named(tree, "dowait")) {
      for (AbstractInsnNode i : method.instructions.toArray()) {
        if (i instanceof FieldInsnNode field && field.name.equals("barrierCommand")) {
          method.instructions.insert(i, receive(tree.name, SENT));
        }
      }
    }
  }

  private static void editSemaphore(ClassNode tree, int baseId) {
    addField(tree, PERMITS, "Ljava/lang/Object;");
    InsnList make = new InsnList();
    make.add(new VarInsnNode(ALOAD, 0));
    make.add(new VarInsnNode(ILOAD, 1));
    make.add(call("permits", "(I)Ljava/lang/Object;"));
    make.add(put(tree.name, PERMITS, "Ljava/lang/Object;"));
    atEnd(tree, "<init>", make);
    for (MethodNode method : Bodies.named(tree, "release")) {
      insert(method, permits(tree, method, "released", "(Ljava/lang/Object;I)V"));
    }
    for (String name : List.of("acquire", "acquireUninterruptibly")) {
      for (MethodNode method : Bodies.named(tree, name)) {
        atEnd(method, permits(tree, method, "acquired", "(Ljava/lang/Object;I)V"));
      }
    }
    for (MethodNode method : Bodies.named(tree, "tryAcquire")) {
      InsnList code = permits(tree, method, "acquiredIf", "(ZLjava/lang/Object;I)V");
      code.insert(new InsnNode(DUP));
      atEnd(method, code);
    }
    InsnList all = new InsnList();
    all.add(new InsnNode(DUP));
    all.add(new VarInsnNode(ALOAD, 0));
    all.add(get(tree.name, PERMITS, "Ljava/lang/Object;"));
    all.add(new InsnNode(SWAP));
    all.add(call("acquired", "(Ljava/lang/Object;I)V"));
    atEnd(tree, "drainPermits", all);
  }

  /** The number of permits is the first argument, else one. */
  private static InsnList permits(ClassNode tree, MethodNode method, String name, String type) {
    Type[] arguments = Type.getArgumentTypes(method.desc);
    boolean isOne = arguments.length == 0 || arguments[0] != Type.INT_TYPE;
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(get(tree.name, PERMITS, "Ljava/lang/Object;"));
    code.add(isOne ? new InsnNode(ICONST_1) : new VarInsnNode(ILOAD, 1));
    code.add(call(name, type));
    return code;
  }

  /** Whoever sees that an executor has terminated is later than all its threads. */
  private static void editExecutor(ClassNode tree, String threadEnds) {
    addField(tree, SENT, "J");
    atEntry(tree, latest(tree.name), threadEnds);
    for (MethodNode method : tree.methods) {
      if (method.name.equals("awaitTermination") || method.name.equals("isTerminated")) {
        boolean tells = method.desc.endsWith("Z");
        atEnd(method, tells ? receiveIf(tree.name, SENT) : receive(tree.name, SENT));
      }
    }
  }

  // ---- what they have in common

  private static InsnList send(String owner, int local) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, local));
    code.add(call("now", "()J"));
    code.add(put(owner, SENT, "J"));
    return code;
  }

  private static InsnList first(String owner) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(new InsnNode(DUP));
    code.add(get(owner, DONE, "J"));
    code.add(call("first", "(J)J"));
    code.add(put(owner, DONE, "J"));
    return code;
  }

  private static InsnList latest(String owner) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(new InsnNode(DUP));
    code.add(get(owner, SENT, "J"));
    code.add(call("latest", "(J)J"));
    code.add(put(owner, SENT, "J"));
    code.add(call("kept", "()V"));
    return code;
  }

  private static InsnList receive(String owner, String name) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(get(owner, name, "J"));
    code.add(call("received", "(J)V"));
    return code;
  }

  private static InsnList receiveIf(String owner, String name) {
    InsnList code = new InsnList();
    code.add(new InsnNode(DUP));
    code.add(new VarInsnNode(ALOAD, 0));
    code.add(get(owner, name, "J"));
    code.add(call("receivedIf", "(ZJ)V"));
    return code;
  }

  private static void atEntry(ClassNode tree, InsnList code, String... names) {
    for (String name : names) {
      Bodies.named(tree, name).forEach(method -> insert(method, Bodies.copy(code)));
    }
  }

  private static void insert(MethodNode method, InsnList code) {
    method.instructions.insert(code);
    method.maxStack += 5;
  }

  private static void atEnd(ClassNode tree, String name, InsnList code) {
    Bodies.named(tree, name).forEach(method -> atEnd(method, code));
  }

  private static void atEnd(MethodNode method, InsnList code) {
    Bodies.beforeReturns(method, code);
    method.maxStack += 5;
  }

  private static void addField(ClassNode tree, String name, String descriptor) {
    int access = ACC_PUBLIC | ACC_TRANSIENT | ACC_SYNTHETIC;
    tree.fields.add(new FieldNode(access, Calls.PREFIX + name, descriptor, null, null));
  }

  private static FieldInsnNode get(String owner, String name, String descriptor) {
    return new FieldInsnNode(GETFIELD, owner, Calls.PREFIX + name, descriptor);
  }

  private static FieldInsnNode put(String owner, String name, String descriptor) {
    return new FieldInsnNode(PUTFIELD, owner, Calls.PREFIX + name, descriptor);
  }

  private static MethodInsnNode call(String name, String descriptor) {
    return Bodies.call(RuntimeClasses.CLOCK_MESSAGES, name, descriptor);
  }
}
