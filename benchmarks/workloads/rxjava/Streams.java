import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.subjects.PublishSubject;
import java.util.ArrayList;
import java.util.List;

/** Streams of RxJava on one thread: operators, groups, subjects, back-pressure, errors. */
public final class Streams {
  public static void main(String[] args) throws Exception {
    int n = 100 * Iterations.size(args);
    Iterations.run(args, () -> streams(n));
  }

  private static String streams(int n) {
    long sum =
        Flowable.range(1, n)
            .map(i -> i * 7919L % 1009)
            .filter(i -> i % 3 != 0)
            .flatMap(i -> Flowable.just(i, i * 2).concatWith(Flowable.range(0, 3).map(k -> i + k)))
            .reduce(0L, Long::sum)
            .blockingGet();
    List<String> groups =
        Observable.range(0, n)
            .groupBy(i -> i % 7)
            .flatMapSingle(group -> group.count().map(count -> group.getKey() + "=" + count))
            .toList()
            .blockingGet();
    List<Integer> windows = new ArrayList<>();
    PublishSubject<Integer> subject = PublishSubject.create();
    subject.buffer(5, 3).scan(0, (total, window) -> total + window.size()).subscribe(windows::add);
    for (int i = 0; i < n; i++) {
      subject.onNext(i);
    }
    subject.onComplete();
    int retried =
        Flowable.range(0, n)
            .zipWith(Flowable.range(0, n).skip(1), (a, b) -> 10 / (b % 11 - a % 11))
            .onErrorResumeNext(error -> Flowable.just(-1))
            .lastOrError()
            .blockingGet();
    return "streams " + sum + " " + groups + " " + windows.get(windows.size() - 1) + " " + retried;
  }
}
