import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Typed actors of Pekko on four threads: a ring passes tokens, pairs play, a counter adds up what
 * many send. What they answer does not depend on who runs when.
 */
public final class Actors {
  private static final int RING = 10;
  private static final int MESSAGES = 100;
  private static final Config CONFIG =
      ConfigFactory.parseString(
              "pekko.actor.default-dispatcher.fork-join-executor"
                  + " { parallelism-min = 4, parallelism-max = 4 }")
          .withFallback(ConfigFactory.load());

  public static void main(String[] args) throws Exception {
    int n = Iterations.size(args);
    Iterations.run(args, () -> answers(n));
  }

  private static String answers(int n) {
    CompletableFuture<String> answers = new CompletableFuture<>();
    ActorSystem<Answer> system = ActorSystem.create(guardian(n, answers), "actors", CONFIG);
    system.getWhenTerminated().toCompletableFuture().join();
    return answers.getNow("an actor failed");
  }

  private record Answer(String of, long value) {}

  /** Starts all actors, and stops when each token, each pair and the counter have answered. */
  private static Behavior<Answer> guardian(int n, CompletableFuture<String> answers) {
    return Behaviors.setup(
        context -> {
          passTokens(context, n);
          play(context, n);
          count(context, n);
          return gather(n + n + 1, new TreeMap<>(), answers);
        });
  }

  private static Behavior<Answer> gather(
      int missing, Map<String, Long> sums, CompletableFuture<String> answers) {
    return Behaviors.receiveMessage(
        answer -> {
          sums.merge(answer.of(), answer.value(), Long::sum);
          if (missing > 1) {
            return gather(missing - 1, sums, answers);
          }
          answers.complete("actors " + sums);
          return Behaviors.stopped();
        });
  }

  private sealed interface Passed {}

  private record Next(ActorRef<Passed> member) implements Passed {}

  private record Token(int hops, long sum, ActorRef<Answer> home) implements Passed {}

  private static void passTokens(ActorContext<Answer> context, int n) {
    var members =
        IntStream.range(0, RING).mapToObj(i -> context.spawn(member(i), "member-" + i)).toList();
    for (int i = 0; i < RING; i++) {
      members.get(i).tell(new Next(members.get((i + 1) % RING)));
    }
    for (int i = 0; i < n; i++) {
      members.get(i % RING).tell(new Token(MESSAGES + i, 0, context.getSelf()));
    }
  }

  private static Behavior<Passed> member(int number) {
    return Behaviors.receive(Passed.class)
        .onMessage(Next.class, next -> linked(number, next.member()))
        .build();
  }

  /** Adds its number to what passes. */
  private static Behavior<Passed> linked(int number, ActorRef<Passed> next) {
    return Behaviors.receive(Passed.class)
        .onMessage(
            Token.class,
            token -> {
              if (token.hops() == 0) {
                token.home().tell(new Answer("ring", token.sum()));
              } else {
                next.tell(new Token(token.hops() - 1, token.sum() + number, token.home()));
              }
              return Behaviors.same();
            })
        .build();
  }

  private record Ball(int number, ActorRef<Ball> from) {}

  private static void play(ActorContext<Answer> context, int n) {
    for (int i = 0; i < n; i++) {
      ActorRef<Ball> one = context.spawn(player(0, context.getSelf()), "one-" + i);
      ActorRef<Ball> other = context.spawn(player(0, context.getSelf()), "other-" + i);
      one.tell(new Ball(1, other));
    }
  }

  /** Returns every ball but the last; it answers the sum of the numbers it has seen. */
  private static Behavior<Ball> player(long sum, ActorRef<Answer> home) {
    return Behaviors.receive(
        (context, ball) -> {
          if (ball.number() > MESSAGES) {
            home.tell(new Answer("pairs", sum));
            return Behaviors.stopped();
          }
          ball.from().tell(new Ball(ball.number() + 1, context.getSelf()));
          return player(sum + ball.number(), home);
        });
  }

  private static void count(ActorContext<Answer> context, int n) {
    ActorRef<Integer> counter = context.spawn(counter(n, 0, context.getSelf()), "counter");
    for (int i = 0; i < n; i++) {
      context.spawn(sender(counter), "sender-" + i);
    }
  }

  /** Adds up what comes; a sender's last number, after all others of it, is 0. */
  private static Behavior<Integer> counter(int senders, long sum, ActorRef<Answer> home) {
    return Behaviors.receiveMessage(
        number -> {
          int left = number == 0 ? senders - 1 : senders;
          if (left == 0) {
            home.tell(new Answer("counter", sum));
          }
          return counter(left, sum + number, home);
        });
  }

  private static Behavior<Void> sender(ActorRef<Integer> counter) {
    return Behaviors.setup(
        context -> {
          IntStream.iterate(MESSAGES, number -> number >= 0, number -> number - 1)
              .forEach(counter::tell);
          return Behaviors.stopped();
        });
  }
}
