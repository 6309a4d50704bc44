package io.neardup.bench;

import io.neardup.bench.WorkerProtocol.WorkerFigures;
import java.util.concurrent.TimeUnit;

/**
 * Tells when the JIT compiler of a process has little left to do: when it took less than a share of {@value #SHARE} of the
 * processor time over {@value #CPU_SECONDS} s of it. Kafka's clients have some 2,700 methods that become hot one by one, those
 * that run once a commit last: for one or two minutes they cost more than most of what is to be measured.
 */
final class CompilerRest {
    private static final double SHARE = 0.04;
    private static final int CPU_SECONDS = 10;
    private static final long CPU_NANOS = TimeUnit.SECONDS.toNanos(CPU_SECONDS);

    private long fromCpuNanos;
    private long fromCompilationMillis;
    private boolean resting;

    /** Takes the figures of the process at a moment. */
    void observe(long cpuNanos, WorkerFigures figures) {
        long cpu = cpuNanos - fromCpuNanos;
        if (cpu >= CPU_NANOS) {
            long compilationNanos = TimeUnit.MILLISECONDS.toNanos(figures.compilationMillis() - fromCompilationMillis);
            resting = compilationNanos < SHARE * cpu;
            fromCpuNanos = cpuNanos;
            fromCompilationMillis = figures.compilationMillis();
        }
    }

    boolean isResting() {
        return resting;
    }
}
