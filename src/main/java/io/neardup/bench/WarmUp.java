package io.neardup.bench;

import io.neardup.bench.BenchSession.Input;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a subject over the input again and again, until the compiler has had the time it needs. */
final class WarmUp {
    private WarmUp() {}

    static void run(BenchSession session, WorkerProcess worker, String name, Input input, long documents) {
        long deadlineNanos =
                System.nanoTime() + TimeUnit.SECONDS.toNanos(session.options().warmUpSeconds());
        for (int i = 1; System.nanoTime() < deadlineNanos; i++) {
            session.progress().phase("warming up the " + name);
            Trial trial = new Trial(session, worker, "warm-up-" + name + "-" + i, input, Map.of());
            trial.start();
            trial.warmUp(documents, deadlineNanos);
            trial.stop();
            trial.delete();
        }
    }
}
