package io.neardup.bench;

import io.neardup.bench.BenchSession.Input;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a subject over the input again and again, until the compiler rests or the time is over. */
final class WarmUp {
    private WarmUp() {}

    static void run(BenchSession session, WorkerProcess worker, String name, Input input, long documents) {
        long deadlineNanos =
                System.nanoTime() + TimeUnit.SECONDS.toNanos(session.options().warmUpSeconds());
        CompilerRest rest = new CompilerRest();
        for (int i = 1; System.nanoTime() < deadlineNanos && !rest.isResting(); i++) {
            session.progress().phase("warming up the " + name);
            Trial trial = new Trial(session, worker, "warm-up-" + name + "-" + i, input, Map.of());
            trial.start();
            trial.warmUp(documents, deadlineNanos, rest);
            trial.stop();
            trial.delete();
        }
        if (!rest.isResting()) {
            session.progress()
                    .phase("going on, though the compiler of the " + name + " is not at rest: give --warm-up more");
        }
    }
}
