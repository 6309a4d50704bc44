package io.neardup.bench;

import io.neardup.bench.Bench.Input;
import io.neardup.bench.Drain.Observation;
import io.neardup.bench.WorkerProcess.Figures;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a subject over the input again and again, until the compiler rests or the time is over. */
final class WarmUp {
    private static final long OBSERVE_MILLIS = 200;

    private WarmUp() {}

    static void run(Bench bench, WorkerProcess worker, String name, Input input, long documents) {
        long deadlineNanos =
                System.nanoTime() + TimeUnit.SECONDS.toNanos(bench.options().warmUpSeconds());
        CompilerRest rest = new CompilerRest();
        for (int i = 1; System.nanoTime() < deadlineNanos && !rest.isResting(); i++) {
            bench.progress().phase("warming up the " + name);
            Trial trial = new Trial(bench, worker, "warm-up-" + name + "-" + i, input, Map.of());
            trial.start();
            letOut(documents, deadlineNanos, trial, rest);
            trial.stop();
            trial.delete();
        }
        if (!rest.isResting()) {
            bench.progress()
                    .phase("going on, though the compiler of the " + name + " is not at rest: give --warm-up more");
        }
    }

    /** Lets documents come out until that many have, the compiler rests, or the time is over. */
    private static void letOut(long documents, long deadlineNanos, Trial trial, CompilerRest rest) {
        Observation now = trial.observe();
        while (now.sumOfEnds() < documents && now.nanos() < deadlineNanos && !rest.isResting()) {
            Trial.pause(OBSERVE_MILLIS);
            now = trial.observe();
            rest.observe(now.cpuNanos(), trial.figures());
            long left = TimeUnit.NANOSECONDS.toSeconds(deadlineNanos - now.nanos());
            trial.progress().update(String.format(Locale.ROOT, "%d s left at the most", Math.max(0, left)));
        }
    }

    /**
     * Tells when the JIT compiler of a process has little left to do: over {@value #CPU_SECONDS} s of the process's CPU
     * time, it was busy for less than {@value #SHARE} of it.
     *
     * <p>Some 2,700 methods become hot one by one. The last are those of Kafka's clients that run once a commit. So for
     * one or two minutes compiling costs more than most of what is to be measured.
     */
    private static final class CompilerRest {
        private static final double SHARE = 0.04;
        private static final int CPU_SECONDS = 10;
        private static final long CPU_NANOS = TimeUnit.SECONDS.toNanos(CPU_SECONDS);

        private long fromCpuNanos;
        private long fromCompilationMillis;
        private boolean resting;

        /** Takes the figures of the process at a moment. */
        void observe(long cpuNanos, Figures figures) {
            long cpu = cpuNanos - fromCpuNanos;
            if (cpu >= CPU_NANOS) {
                long compilationNanos =
                        TimeUnit.MILLISECONDS.toNanos(figures.compilationMillis() - fromCompilationMillis);
                resting = compilationNanos < SHARE * cpu;
                fromCpuNanos = cpuNanos;
                fromCompilationMillis = figures.compilationMillis();
            }
        }

        boolean isResting() {
            return resting;
        }
    }
}
